import { distance } from 'fastest-levenshtein'
import { Environment } from '../environment.ts'
import { isCountryProviders } from '../sms/providers.ts'
import { secretFileVariable } from './secrets.ts'

/** Names up to this length resemble many unrelated ones: KEYS and KEY, PORT and POST. */
const SHORT = 6

/** Names that other software uses for the same setting, too different from ours to be recognized as a misspelling */
const OTHER_NAMES = new Map([
  ['TRUSTED_PROXIES', 'TRUST_PROXY'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['TRUST_PROXIES', 'TRUST_PROXY'],
  ['DATABASE_POOL_SIZE', 'DATABASE_CONNECTIONS'],
  ['DATABASE_MAX_CONNECTIONS', 'DATABASE_CONNECTIONS'],
  ['DATABASE_POOL_MODE', 'DATABASE_POOLER'],
  ['DATABASE_MIGRATION_URL', 'DATABASE_DIRECT_URL'],
  ['DATABASE_USER', 'DATABASE_URL'],
  ['DATABASE_HOST', 'DATABASE_URL'],
  ['REDIS_HOST', 'REDIS_URL'],
  ['REDIS_SENTINELS', 'REDIS_URL'],
  ['REDIS_CLUSTER_NODES', 'REDIS_URL'],
  ['SMTP_FROM', 'MAIL_FROM'],
  ['EMAIL_FROM', 'MAIL_FROM'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['SMTP_PASSWORD', 'SMTP_URL'],
  ['MAIL_URL', 'SMTP_URL'],
  ['S3_SECRET_KEY', 'S3_SECRET_ACCESS_KEY'],
  ['S3_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ['S3_URL', 'S3_ENDPOINT'],
  ['EVENTS_WEBHOOK_SECRET', 'EVENTS_WEBHOOK_SECRETS'],
  ['EVENTS_WEBHOOK_SECRET_FILE', 'EVENTS_WEBHOOK_SECRETS_FILE'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
])

/**
 * Lists variables whose names look like a misspelled variable that is not set, for example `DATABSE_URL`. Without this check
 * the service would silently use the default.
 */
export function nearMisses(variables: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(Environment.properties)
  const ours = names.flatMap((name) => [name, secretFileVariable(name) ?? []].flat())
  const free = ours.filter((name) => !variables[name])
  return Object.keys(variables)
    .filter((name) => !ours.includes(name) && !isCountryProviders(name))
    .flatMap((name) => {
      const other = OTHER_NAMES.get(name.toUpperCase())
      const meant = free.find((own) => own === other || isMisspelling(name.toUpperCase(), own))
      return meant === undefined ? [] : [`${name} is not a known variable. Did you mean ${meant}?`]
    })
}

/** Returns whether two letters are swapped, or at most two differ in a long name. */
function isMisspelling(name: string, own: string): boolean {
  const wrong = distance(name, own)
  return wrong <= 2 && (own.length > SHORT || sorted(name) === sorted(own))
}

function sorted(name: string): string {
  return [...name].sort().join('')
}
