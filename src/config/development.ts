// Protects real users from a service that starts as development because NODE_ENV was forgotten.
import type { Variables } from './environment.ts'
import { isCountryProviders } from './sms/providers.ts'

/** Variables of a service with real users. A trial needs none of them. */
const OF_PRODUCTION: readonly string[] = [
  ...['DATABASE_URL', 'REDIS_URL', 'KEYS', 'KEYS_FILE', 'SMS_PROVIDERS', 'SMTP_URL', 'S3_BUCKET'],
  ...['PUBLIC_URL', 'TRUST_PROXY'],
]
const LIST_FORMAT = new Intl.ListFormat('en')

/**
 * Names the variables of production that are set, although NODE_ENV is not.
 *
 * @param environment the value of NODE_ENV for which they are named; empty for none
 */
export function developmentRisks(variables: Variables, environment: '' | 'development'): string[] {
  const isGiven = (name: string): boolean => !['', 'log'].includes(variables[name]?.trim() ?? '')
  const names = Object.keys(variables).filter((name) => OF_PRODUCTION.includes(name) || isCountryProviders(name))
  const given = names.filter(isGiven)
  if ((variables['NODE_ENV']?.trim() ?? '') !== environment || given.length === 0) return []
  return [
    `NODE_ENV is ${environment || 'not set'}, but ${LIST_FORMAT.format(given)} ${given.length === 1 ? 'is' : 'are'} set. For real users, set NODE_ENV=production. NODE_ENV=development has demo accounts, whose password is public, and /dev/outbox, which lists codes and reset links.`,
  ]
}
