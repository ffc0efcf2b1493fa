// Protects real users from a service that starts as development because NODE_ENV was forgotten.
import { isCountryProviders } from './sms/providers.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Variables of a service with real users. A trial needs none of them. */
const OF_PRODUCTION: readonly string[] = [
  ...['DATABASE_URL', 'REDIS_URL', 'KEYS', 'KEYS_FILE', 'SMS_PROVIDERS', 'SMTP_URL', 'S3_BUCKET'],
  ...['PUBLIC_URL', 'TRUST_PROXY'],
]
const RISK = 'demo accounts, whose password is public, and /dev/outbox, which lists codes and reset links'
const LIST_FORMAT = new Intl.ListFormat('en')

/** Lists NODE_ENV if it is not set, although other variables are those of production. */
export function unsetEnvironmentProblems(variables: Variables): string[] {
  const names = listOfProduction(variables)
  if (variables['NODE_ENV']?.trim() || names === undefined) return []
  return [
    `NODE_ENV is not set, but ${names}. Set NODE_ENV=production. For a trial with these variables, set NODE_ENV=development: it has ${RISK}.`,
  ]
}

/** Warns of a service in development whose other variables are those of production. */
export function developmentWarnings(variables: Variables): string[] {
  const names = listOfProduction(variables)
  if (variables['NODE_ENV']?.trim() !== 'development' || names === undefined) return []
  return [`NODE_ENV is development, and ${names}: it has ${RISK}. For real users, set NODE_ENV=production.`]
}

function listOfProduction(variables: Variables): string | undefined {
  const names = Object.keys(variables).filter((name) => OF_PRODUCTION.includes(name) || isCountryProviders(name))
  const given = names.filter((name) => !['', 'log'].includes(variables[name]?.trim() ?? ''))
  return given.length === 0 ? undefined : `${LIST_FORMAT.format(given)} ${given.length === 1 ? 'is' : 'are'} set`
}
