import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../../../generated/limits.ts'
import { baseAddress, number, oneOf, secret, text, webAddress, type Values } from '../variable-kinds.ts'

/** Variables of keys and access tokens. */
export const tokenVariables = {
  KEYS: text({
    about:
      'Keys as JSON, instead of a key file. The first key of `tokens` decides the algorithm of access tokens, EdDSA or ES256.',
    accepts: 'the JSON that npm run -s keys prints',
    isSecret: true,
  }),
  KEYS_FILE: text({
    about: 'Key file. Production requires KEYS or KEYS_FILE; elsewhere, it is created on the first start.',
    accepts: 'a file that only its owner can read, or root and the group of the process',
    shown: 'keys.json in DATA_DIR',
  }),
  TOKEN_ISSUER: text({ about: 'Issuer of access tokens (`iss`).', default: 'tawthiq' }),
  TOKEN_AUDIENCE: text({ about: 'Audience of access tokens (`aud`).', default: 'tawthiq' }),
  ACCESS_TOKEN_TTL: number(60, 86400, {
    about: 'Lifetime of access tokens, in seconds.',
    default: LIMITS.access_token.minutes * 60,
  }),
  RECENT_PROOF_SECONDS: number(60, 86400, {
    about: 'Seconds after a login or a password confirmation during which sensitive operations are allowed.',
    default: LIMITS.recent_authentication.seconds,
  }),
}

/** Variables of passwords, identity documents and the audit trail. */
export const securityVariables = {
  BCRYPT_COST: number(10, 15, {
    about:
      'Cost of password hashes. Each step doubles the time. Do not lower it: response times of logins would then show which accounts exist.',
    shown: '10; 12 in production',
  }),
  PASSWORD_THREADS: number(1, 8, {
    about: 'Number of threads that hash passwords.',
    shown: 'the number of processors minus one, at most 8',
  }),
  PASSWORD_BREACH_URL: baseAddress({
    about:
      'Range API of Have I Been Pwned, such as https://api.pwnedpasswords.com/range. Rejects new passwords from data breaches. The API receives the first 5 digits of a hash.',
    shown: 'none; passwords are not looked up',
  }),
  MFA_REQUIRED: oneOf(['administrators'], {
    about:
      'Requires a second factor of administrators. Without one, they get `403 mfa_enrollment_required`, and the first one needs an enrollment code. Read docs/operate.md#require-second-factors-of-administrators first.',
    shown: 'none; second factors are optional',
  }),
  NATIONAL_ID_CHECK: oneOf(['flag', 'strict'], {
    about:
      'Action for an invalid national ID: `flag` shows it to reviewers, `strict` also rejects it in profile updates.',
    default: 'flag',
  }),
  AUDIT_RETENTION_DAYS: number(30, 3650, {
    about: 'Retention of audit events, in days. They are dropped by month, up to 31 days later.',
    default: 365,
  }),
}

/** Variables of challenges. */
export const captchaVariables = {
  CAPTCHA_VERIFY_URL: webAddress({
    about:
      'Siteverify endpoint of Turnstile, hCaptcha or reCAPTCHA. Networks that have used up most of a limit, and all in a country under attack, then need a solution to request codes.',
    shown: 'none; an attack blocks new users of a country',
  }),
  CAPTCHA_SECRET: secret('Secret key for CAPTCHA_VERIFY_URL. Required with it.'),
}

type Given = Values<typeof tokenVariables & typeof securityVariables & typeof captchaVariables>

export const securityConfig = (given: Given & { NODE_ENV: string; DATA_DIR: string }) =>
  ({
    keys: chooseKeys(given),
    tokens: { issuer: given.TOKEN_ISSUER, audience: given.TOKEN_AUDIENCE, lifeSeconds: given.ACCESS_TOKEN_TTL },
    /** How long a login or a password confirmation allows sensitive operations */
    recentProofSeconds: given.RECENT_PROOF_SECONDS,
    bcryptCost: given.BCRYPT_COST ?? (given.NODE_ENV === 'production' ? 12 : 10),
    passwordThreads: given.PASSWORD_THREADS ?? Math.min(Math.max(availableParallelism() - 1, 1), 8),
    /** Range API of breached passwords; undefined: not looked up */
    passwordBreachUrl: given.PASSWORD_BREACH_URL,
    /** Whether administrators need a second factor */
    administratorsNeedFactor: given.MFA_REQUIRED === 'administrators',
    /** Whether an implausible national ID is only shown to reviewers, or also rejected */
    nationalIdCheck: given.NATIONAL_ID_CHECK,
    /** Retention of audit events */
    auditDays: given.AUDIT_RETENTION_DAYS,
    /** The verifier of challenges; undefined: no challenge is required */
    captcha:
      given.CAPTCHA_VERIFY_URL === undefined || given.CAPTCHA_SECRET === undefined
        ? undefined
        : { url: given.CAPTCHA_VERIFY_URL, secret: given.CAPTCHA_SECRET },
  }) as const

function chooseKeys(given: Given & { DATA_DIR: string }): Readonly<{ file: string } | { text: string }> {
  if (given.KEYS !== undefined) return { text: given.KEYS }
  return { file: given.KEYS_FILE ?? join(given.DATA_DIR, 'keys.json') }
}
