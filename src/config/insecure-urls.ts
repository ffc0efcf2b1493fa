import { Type } from '@sinclair/typebox'
import { parseNamedWebhooks } from './sms/webhooks.ts'
import { list, type Values } from './variable-kinds.ts'

const CODES = 'it carries phone numbers and one-time codes'

/** The URLs that need TLS in production, each with the reason. */
const REASONS = {
  SMS_WEBHOOK_URL: CODES,
  SMS_WEBHOOKS: CODES,
  TWILIO_API_URL: CODES,
  UNIFONIC_API_URL: CODES,
  TAQNYAT_API_URL: CODES,
  CAPTCHA_VERIFY_URL: 'it carries a secret key, and a modified response could accept any solution',
  PUBLIC_URL: 'receipts and the account pages must not be readable in transit',
  EVENTS_WEBHOOK_URL: 'events must not be readable in transit',
  PASSWORD_RESET_URL: 'a page that was modified in transit could read the reset token',
  PASSWORD_BREACH_URL: 'a response that was modified in transit could reject any password',
  FACTOR_RESET_URL: 'a page that was modified in transit could read the token of an e-mail',
  EMAIL_CONFIRMATION_URL: 'a page that was modified in transit could read the token of an e-mail',
  SMTP_URL: 'e-mails carry reset tokens',
}
type Name = keyof typeof REASONS
const NAMES = Object.keys(REASONS) as Name[] // an object literal has no other keys

/** Variables of TLS exceptions. */
export const insecureUrlVariables = {
  ALLOW_INSECURE_URLS: list(Type.Union(NAMES.map((name) => Type.Literal(name))), {
    about: 'Variables whose URLs are allowed without TLS in production.',
    accepts: `a list of ${NAMES.join(', ')}`,
  }),
}

/** The URL variables, and the list of exceptions */
export type UrlVariables = Partial<Values<typeof insecureUrlVariables> & Record<Name, string | undefined>>

/** Options of SMTP_URL that do not weaken TLS, whatever their value is */
const SMTP_OPTIONS: readonly string[] = [
  ...['name', 'authMethod', 'localAddress', 'servername', 'tls.servername', 'tls.ca'],
  ...['maxConnections', 'maxMessages', 'rateDelta', 'rateLimit'],
  ...['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout'],
]
/** Options of SMTP_URL that do not weaken TLS with these values */
const SMTP_VALUES = new Map<string, readonly string[]>([
  ['tls.minVersion', ['TLSv1.2', 'TLSv1.3']],
  ['requireTLS', ['true']],
  ['secure', ['true']],
  ['tls.rejectUnauthorized', ['true']],
  ['ignoreTLS', ['false']],
  ['opportunisticTLS', ['false']],
])

/** Lists the URLs without TLS that production rejects. */
export function insecureUrlProblems(given: UrlVariables): string[] {
  return NAMES.filter((name) => !isInsecureAllowed(name, given)).flatMap((name) => {
    const urls = name === 'SMS_WEBHOOKS' ? parseNamedWebhooks(given).map(({ url }) => url) : [given[name] ?? '']
    const advice = `or add ${name} to ALLOW_INSECURE_URLS.`
    if (urls.some((url) => url.startsWith('http:') && URL.canParse(url))) {
      return [`${name}: http:// is not allowed in production, because ${REASONS[name]}. Use https://, ${advice}`]
    }
    return name === 'SMTP_URL' ? smtpProblems(urls.join(), advice) : []
  })
}

/** Returns whether e-mail requires TLS. Nothing is then sent to a server that does not offer it. */
export function requiresSmtpTls(given: UrlVariables & { NODE_ENV: string }): boolean {
  return given.NODE_ENV === 'production' && !isInsecureAllowed('SMTP_URL', given)
}

function isInsecureAllowed(name: Name, { ALLOW_INSECURE_URLS }: UrlVariables): boolean {
  return ALLOW_INSECURE_URLS?.includes(name) ?? false
}

/** Rejects options that are not known to be harmless, because the mail client has undocumented ones. */
function smtpProblems(url: string, advice: string): string[] {
  if (!URL.canParse(url)) return []
  const refused = [...new URL(url).searchParams].filter(
    ([option, value]) => !SMTP_OPTIONS.includes(option) && !SMTP_VALUES.get(option)?.includes(value),
  )
  return [...new Set(refused.map(([option]) => option))].map(
    (option) =>
      `SMTP_URL: the option ${JSON.stringify(option)} is not allowed in production with this value, because ${REASONS.SMTP_URL} and require TLS. Remove the option, ${advice}`,
  )
}
