import { LIMITS } from '../../../generated/limits.ts'
import { number, oneOf, text, baseAddress } from '../variable-kinds.ts'

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
