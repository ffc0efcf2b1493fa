import { distance } from 'fastest-levenshtein'
import { VARIABLE_NAMES, type Variables } from '../environment.ts'
import { isCountryProviders } from '../sms/providers.ts'
import { secretFileVariable } from './secrets.ts'

/** What becomes of unknown settings that are only reported in this version */
export const NEXT_VERSION = 'the next minor version does not start with it'

/** Names up to this length resemble many unrelated ones: KEYS and KEY, PORT and POST. */
const SHORT = 6

/** Names that other software uses for our settings, too different from ours to be recognized as misspellings */
const OTHER_NAMES: Readonly<Partial<Record<string, readonly string[]>>> = {
  TRUST_PROXY: ['TRUSTED_PROXIES', 'TRUSTED_PROXY', 'TRUST_PROXIES'],
  DATABASE_CONNECTIONS: ['DATABASE_POOL_SIZE', 'DATABASE_MAX_CONNECTIONS'],
  DATABASE_POOLER: ['DATABASE_POOL_MODE'],
  DATABASE_DIRECT_URL: ['DATABASE_MIGRATION_URL'],
  DATABASE_URL: ['DATABASE_USER', 'DATABASE_HOST'],
  REDIS_URL: ['REDIS_HOST', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'],
  MAIL_FROM: ['SMTP_FROM', 'EMAIL_FROM'],
  SMTP_URL: ['SMTP_HOST', 'SMTP_PASSWORD', 'MAIL_URL'],
  S3_SECRET_ACCESS_KEY: ['S3_SECRET_KEY'],
  S3_ACCESS_KEY_ID: ['S3_ACCESS_KEY'],
  S3_ENDPOINT: ['S3_URL'],
  EVENTS_WEBHOOK_SECRETS: ['EVENTS_WEBHOOK_SECRET'],
  EVENTS_WEBHOOK_SECRETS_FILE: ['EVENTS_WEBHOOK_SECRET_FILE'],
  CORS_ORIGINS: ['CORS_ORIGIN'],
}

/** Only the service has variables that begin with these words. Others, such as OTEL_, belong to other software as well. */
const OWN_NAMES =
  /^(DATABASE|REDIS|KEYS|BCRYPT|SMS|SMTP|MAIL|S3|TWILIO|UNIFONIC|TAQNYAT|CAPTCHA|EVENTS|UPLOADS|FILES|PASSWORD|EMAIL|TOKEN|MANAGEMENT|SHUTDOWN|AUDIT|NATIONAL|CORS|TRUST|RATE_LIMIT|WEBAUTHN|MFA)_/
/** Kubernetes sets these for each of its services, such as REDIS_SERVICE_HOST. */
const SERVICE_LINKS = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/

/** All variables of the service, and those that name a file with a secret */
const OWN = VARIABLE_NAMES.flatMap((name) => [name, secretFileVariable(name) ?? []].flat())

function isKnown(name: string): boolean {
  return OWN.includes(name) || isCountryProviders(name)
}

/**
 * Lists variables whose names look like a misspelled variable that is not set, for example `DATABSE_URL`. Without this check
 * the service would silently use the default.
 */
export function nearMisses(variables: Variables): string[] {
  const free = OWN.filter((name) => !variables[name])
  const unknown = Object.keys(variables).filter((name) => !isKnown(name))
  return unknown.flatMap((name) => {
    const given = name.toUpperCase()
    const meant = free.find((own) => (OTHER_NAMES[own] ?? []).includes(given) || isMisspelling(given, own))
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

/** Lists variables that look like those of the service but are not known, and are ignored. */
export function unknownVariableWarnings(variables: Variables): string[] {
  const unknown = Object.keys(variables).filter((name) => variables[name]?.trim() && !isKnown(name))
  return unknown
    .filter((name) => OWN_NAMES.test(name) && !SERVICE_LINKS.test(name))
    .map(
      (name) =>
        `${name} is not a known variable and is ignored. Remove it, see docs/configuration.md: ${NEXT_VERSION}.`,
    )
}
