import { Type, type Static, type TObject } from '@sinclair/typebox'
import type { Environment } from './environment.ts'
import { list } from './variable-kinds.ts'

/** The URLs that production accepts with TLS only, each with the reason. */
const REASONS = {
  SMS_WEBHOOK_URL: 'it carries phone numbers and one-time codes',
  EVENTS_WEBHOOK_URL: 'events must not be readable on their way',
  PASSWORD_RESET_URL: 'a page that was changed on its way could read the reset token',
  PASSWORD_BREACH_URL: 'a response that was changed on its way could refuse any password',
  EMAIL_CONFIRMATION_URL: 'a page that was changed on its way could read the token of an e-mail',
  SMTP_URL: 'e-mails carry reset tokens',
}
type Name = keyof typeof REASONS
const NAMES = Object.keys(REASONS) as Name[] // what an object literal has

/** Exceptions to TLS, in the environment. */
export const insecureUrlVariables = {
  ALLOW_INSECURE_URLS: Type.Optional(
    list(Type.Union(NAMES.map((name) => Type.Literal(name))), {
      about: 'The variables whose URLs may do without TLS in production, for example for a sidecar.',
      accepts: `a list of ${NAMES.join(', ')}`,
      shown: 'none',
    }),
  ),
}

type Given = Partial<Static<TObject<typeof insecureUrlVariables>> & Pick<Environment, Name>>

/** Options of SMTP_URL that leave TLS as it is, with the values that do; undefined: any value does. */
const SMTP_OPTIONS = new Map<string, readonly string[] | undefined>([
  ...['name', 'authMethod', 'localAddress', 'servername', 'tls.servername', 'tls.ca'].map(withAnyValue),
  ...['maxConnections', 'maxMessages', 'rateDelta', 'rateLimit'].map(withAnyValue),
  ...['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout'].map(withAnyValue),
  ['tls.minVersion', ['TLSv1.2', 'TLSv1.3']],
  ['requireTLS', ['true']],
  ['secure', ['true']],
  ['tls.rejectUnauthorized', ['true']],
  ['ignoreTLS', ['false']],
  ['opportunisticTLS', ['false']],
])

/** Lists the URLs that production refuses because they do without TLS. */
export function insecureUrlProblems(given: Given): string[] {
  return NAMES.filter((name) => !isInsecureAllowed(name, given)).flatMap((name) => {
    const url = given[name]
    if (url === undefined || !URL.canParse(url)) return []
    const advice = `or list ${name} in ALLOW_INSECURE_URLS.`
    if (url.startsWith('http:')) {
      return [`${name}: http:// is not accepted in production, as ${REASONS[name]}. Use https://, ${advice}`]
    }
    return name === 'SMTP_URL' ? smtpProblems(url, advice) : []
  })
}

/** Whether e-mail must go over TLS: a server that does not offer it is sent nothing. */
export function requiresSmtpTls(given: Given & { NODE_ENV: string }): boolean {
  return given.NODE_ENV === 'production' && !isInsecureAllowed('SMTP_URL', given)
}

function isInsecureAllowed(name: Name, { ALLOW_INSECURE_URLS }: Given): boolean {
  return ALLOW_INSECURE_URLS?.includes(name) ?? false
}

/** What is not known to be harmless is refused: the mail client has more options than its documentation lists. */
function smtpProblems(url: string, advice: string): string[] {
  const refused = [...new URL(url).searchParams].filter(([option, value]) => {
    const values = SMTP_OPTIONS.get(option)
    return !SMTP_OPTIONS.has(option) || values?.includes(value) === false
  })
  return [...new Set(refused.map(([option]) => option))].map(
    (option) =>
      `SMTP_URL: the option ${JSON.stringify(option)} is not accepted in production with this value, as ${REASONS.SMTP_URL} and must go over TLS. Remove it, ${advice}`,
  )
}

function withAnyValue(option: string): [string, undefined] {
  return [option, undefined]
}
