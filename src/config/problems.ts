import { Value } from '@sinclair/typebox/value'
import { aboutVariable, Environment } from './environment.ts'
import { eventsProblems } from './events.ts'
import { filesProblems } from './files.ts'
import { insecureUrlProblems } from './insecure-urls.ts'
import { listeningProblems } from './listening.ts'
import { smsProblems } from './sms.ts'

/** Variables whose values are not printed */
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

/** Lists every invalid value and every missing variable. */
export function listProblems(given: Record<string, unknown>): string[] {
  return [...wrongValues(given), ...missingValues(given)]
}

function wrongValues(given: Record<string, unknown>): string[] {
  const names = [...Value.Errors(Environment, given)].map(({ path }) => path.split('/')[1] as keyof Environment)
  return [...new Set(names)].map((name) => {
    const shown = SECRETS.has(name) ? '' : ` ${JSON.stringify([given[name]].flat().join(','))}`
    return `${name}: invalid value${shown}. Expected ${aboutVariable(name).accepts}.`
  })
}

function missingValues(given: Partial<Environment>): string[] {
  const missing = (name: keyof Environment, why: string): string[] =>
    given[name] === undefined ? [`${name} is not set: ${why} Expected ${aboutVariable(name).accepts}.`] : []
  const others = [
    ...smsProblems(given, missing),
    ...eventsProblems(given, missing),
    ...filesProblems(given, given.NODE_ENV === 'production', missing),
    ...listeningProblems(given),
  ]
  if (given.NODE_ENV !== 'production') return others
  return [
    ...missing('DATABASE_URL', 'production does not use the embedded database.'),
    ...missing('REDIS_URL', 'instances share rate limits through Redis in production.'),
    ...others,
    ...insecureUrlProblems(given),
    ...(given.KEYS === undefined
      ? missing('KEYS_FILE', 'production requires KEYS_FILE or KEYS. Create keys with npm run -s keys.')
      : []),
  ]
}
