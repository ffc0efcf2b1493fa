import { Value } from '@sinclair/typebox/value'
import { aboutVariable, Environment, type Variables } from './environment.ts'
import { databaseProblems } from './database.ts'
import { filesProblems } from './files.ts'
import { insecureUrlProblems } from './insecure-urls.ts'
import { listeningProblems, proxyProblems } from './server.ts'
import { redisProblems } from './redis.ts'
import { mailProblems } from './mail.ts'
import { passkeyProblems } from './security/passkeys.ts'
import { unknownTlsProblems } from './names/url-parameters.ts'
import { smsProblems } from './sms/index.ts'
import { portProblems } from './telemetry/index.ts'
import { isCountryProviders, type CountryProviders } from './sms/providers.ts'

/** Variables that need another one, with the reason */
const NEEDED: readonly (readonly [given: keyof Environment, needed: keyof Environment, why: string])[] = [
  ['CAPTCHA_VERIFY_URL', 'CAPTCHA_SECRET', 'CAPTCHA_VERIFY_URL needs it.'],
  ['CAPTCHA_SECRET', 'CAPTCHA_VERIFY_URL', 'CAPTCHA_SECRET is of no use without it.'],
  ['EVENTS_WEBHOOK_URL', 'EVENTS_WEBHOOK_SECRETS', 'EVENTS_WEBHOOK_URL is set, and events are signed.'],
  ['EVENTS_WEBHOOK_SECRETS', 'EVENTS_WEBHOOK_URL', 'EVENTS_WEBHOOK_SECRETS is set.'],
  ['CAPTCHA_WIDGET', 'CAPTCHA_SITE_KEY', 'CAPTCHA_WIDGET needs it.'],
  ['CAPTCHA_SITE_KEY', 'CAPTCHA_WIDGET', 'CAPTCHA_SITE_KEY is of no use without it.'],
]

/** Variables of a service with real users. A trial needs none of them. */
const OF_PRODUCTION: readonly string[] = [
  ...['DATABASE_URL', 'REDIS_URL', 'KEYS', 'KEYS_FILE', 'SMS_PROVIDERS', 'SMTP_URL', 'S3_BUCKET'],
  ...['PUBLIC_URL', 'TRUST_PROXY'],
]
const LIST_FORMAT = new Intl.ListFormat('en')

/** Lists every value that the schema does not accept. */
export function wrongValues(given: Record<string, unknown>): string[] {
  const names = [...Value.Errors(Environment, given)].map(({ path }) => path.split('/')[1] as keyof Environment)
  return [...new Set(names)].map((name) => {
    const { accepts, isSecret } = aboutVariable(name)
    const shown = isSecret ? '' : ` ${JSON.stringify([given[name]].flat().join(','))}`
    return `${name}: invalid value${shown}. Expected ${accepts}.`
  })
}

/** Lists what is missing, contradictory, or not allowed with other values. */
export function missingValues(given: Partial<Environment>, countryProviders: CountryProviders): string[] {
  const missing = (name: keyof Environment, why: string): string[] =>
    given[name] === undefined ? [`${name} is not set: ${why} Expected ${aboutVariable(name).accepts}.`] : []
  const others = [
    ...databaseProblems(given, missing),
    ...unknownTlsProblems(given),
    ...redisProblems(given),
    ...smsProblems(given, missing, countryProviders),
    ...NEEDED.flatMap(([name, needed, why]) => (given[name] === undefined ? [] : missing(needed, why))),
    ...filesProblems(given, given.NODE_ENV === 'production', missing),
    ...listeningProblems(given),
    ...proxyProblems(given),
    ...portProblems(given),
    ...passkeyProblems(given),
  ]
  if (given.NODE_ENV !== 'production') return others
  return [
    ...missing('DATABASE_URL', 'production does not use the embedded database.'),
    ...missing('REDIS_URL', 'instances share rate limits through Redis in production.'),
    ...others,
    ...(given.PAGES === 'on' ? missing('PUBLIC_URL', 'e-mails link to the account pages there.') : []),
    ...insecureUrlProblems(given),
    ...mailProblems(given),
    ...(given.KEYS === undefined
      ? missing('KEYS_FILE', 'production requires KEYS_FILE or KEYS. Create keys with npm run -s keys.')
      : []),
  ]
}

/**
 * Names the variables of production that are set, although NODE_ENV is not: a service with real users must not start as
 * development because it was forgotten.
 *
 * @param environment the value of NODE_ENV for which they are named; empty for none
 */
export function developmentRisks(variables: Variables, environment: '' | 'development'): string[] {
  const names = Object.keys(variables).filter((name) => OF_PRODUCTION.includes(name) || isCountryProviders(name))
  const given = names.filter((name) => !['', 'log'].includes(variables[name]?.trim() ?? ''))
  if ((variables['NODE_ENV']?.trim() ?? '') !== environment || given.length === 0) return []
  return [
    `NODE_ENV is ${environment || 'not set'}, but ${LIST_FORMAT.format(given)} ${given.length === 1 ? 'is' : 'are'} set. For real users, set NODE_ENV=production. NODE_ENV=development has demo accounts, whose password is public, and /dev/outbox, which lists codes and reset links.`,
  ]
}
