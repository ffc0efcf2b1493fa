import { Value } from '@sinclair/typebox/value'
import { aboutVariable, Environment } from './environment.ts'
import { eventsProblems } from './events.ts'
import { filesProblems } from './files.ts'
import { insecureUrlProblems } from './insecure-urls.ts'
import { listeningProblems } from './listening.ts'
import { smsProblems } from './sms.ts'

/** Variables whose values are not shown */
const SECRETS = new Set<string>([
  'KEYS',
  'SMS_WEBHOOK_URL',
  'SMTP_URL',
  'EVENTS_WEBHOOK_URL',
  'EVENTS_WEBHOOK_SECRETS',
  'SMS_WEBHOOK_TOKEN',
  'SMS_TEST_NUMBERS',
  'DATABASE_URL',
  'REDIS_URL',
  'S3_SECRET_ACCESS_KEY',
])

/** Everything that is wrong with the values of our own variables, or missing, in words. */
export function problemsOf(given: Record<string, unknown>): string[] {
  return [...wrongValues(given), ...missingValues(given)]
}

function wrongValues(given: Record<string, unknown>): string[] {
  const names = [...Value.Errors(Environment, given)].map(({ path }) => path.split('/')[1] as keyof Environment)
  return [...new Set(names)].map((name) => {
    const shown = SECRETS.has(name) ? 'its value' : JSON.stringify([given[name]].flat().join(','))
    return `${name}: ${shown} is not accepted. It takes ${aboutVariable(name).accepts}.`
  })
}

function missingValues(given: Partial<Environment>): string[] {
  const missing = (name: keyof Environment, why: string): string[] =>
    given[name] === undefined ? [`${name} is missing: ${why} It takes ${aboutVariable(name).accepts}.`] : []
  const others = [
    ...smsProblems(given, missing),
    ...eventsProblems(given, missing),
    ...filesProblems(given, given.NODE_ENV === 'production', missing),
    ...listeningProblems(given),
  ]
  if (given.NODE_ENV !== 'production') return others
  return [
    ...missing('DATABASE_URL', 'production has no embedded database.'),
    ...missing('REDIS_URL', 'instances in production share their limits.'),
    ...others,
    ...insecureUrlProblems(given),
    ...(given.KEYS === undefined
      ? missing('KEYS_FILE', 'production makes no keys by itself (KEYS would do as well). Make them with npm run keys.')
      : []),
  ]
}
