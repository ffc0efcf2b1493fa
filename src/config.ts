import { Value } from '@sinclair/typebox/value'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { aboutVariable, Environment } from './config/environment.ts'
import { eventsConfigOf, eventsProblems, type EventsConfig } from './config/events.ts'
import { filesConfigOf, filesProblems, uploadsFolderOf, type FilesConfig } from './config/files.ts'
import { insecureUrlProblems } from './config/insecure-urls.ts'
import { listeningProblems } from './config/listening.ts'
import type { Language } from './messages/index.ts'
import { mailConfigOf, type MailConfig } from './config/mail.ts'
import { nearMisses } from './config/near-misses.ts'
import { smsConfigOf, smsProblems, type SmsConfig } from './config/sms.ts'
import { StartFailure } from './start-failure.ts'

export type Config = Readonly<{
  isProduction: boolean
  hasDemoData: boolean
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  databaseConnections: number
  redisUrl: string | undefined
  /** What the keys in Redis begin with */
  redisPrefix: string
  sms: SmsConfig
  mail: MailConfig
  /** undefined: nobody is told of events */
  events: EventsConfig | undefined
  files: FilesConfig
  uploadsFolder: string
  keys: Readonly<{ file: string } | { text: string }>
  tokens: Readonly<{ issuer: string; audience: string; lifeSeconds: number }>
  bcryptCost: number
  passwordThreads: number
  defaultLanguage: Language
  logLevel: string
  /** How long audit events are kept */
  auditDays: number
  corsOrigins: string[]
  /** Whether pages of any origin on this machine may call the service */
  allowsLocalOrigins: boolean
  trustedProxies: string[]
}>

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

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from environment variables. An empty one counts as absent.
 *
 * @throws StartFailure that lists everything that is wrong
 */
export function readConfig(variables: Variables): Config {
  const given = valuesOf(variables)
  const problems = [...wrongValues(given), ...missingValues(given), ...nearMisses(variables)]
  if (problems.length === 0 && Value.Check(Environment, given)) return configOf(given)
  throw new StartFailure(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** Our own variables with their defaults, and with numbers and lists for text where the schema asks for them. */
function valuesOf(variables: Variables): Record<string, unknown> {
  const given = Object.entries(Environment.properties).flatMap(([name, { type }]) => {
    const text = variables[name]?.trim()
    return text ? [[name, valueOf(text, type as unknown)] as const] : []
  })
  return Value.Default(Environment, Object.fromEntries(given)) as Record<string, unknown> // it fills in what it is given
}

function valueOf(text: string, type: unknown): unknown {
  if (type === 'array') return text.split(',').map((item) => item.trim())
  return type === 'integer' && /^[0-9]{1,9}$/.test(text) ? Number(text) : text
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

function configOf(given: Environment): Config {
  const isProduction = given.NODE_ENV === 'production'
  return {
    isProduction,
    hasDemoData: given.NODE_ENV === 'development',
    host: given.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databaseConnections: given.DATABASE_CONNECTIONS,
    redisUrl: given.REDIS_URL,
    redisPrefix: given.REDIS_PREFIX,
    sms: smsConfigOf(given),
    mail: mailConfigOf(given),
    events: eventsConfigOf(given),
    files: filesConfigOf(given),
    uploadsFolder: uploadsFolderOf(given),
    keys:
      given.KEYS === undefined ? { file: given.KEYS_FILE ?? join(given.DATA_DIR, 'keys.json') } : { text: given.KEYS },
    tokens: {
      issuer: given.TOKEN_ISSUER,
      audience: given.TOKEN_AUDIENCE,
      lifeSeconds: given.ACCESS_TOKEN_TTL,
    },
    bcryptCost: given.BCRYPT_COST ?? (isProduction ? 12 : 10),
    passwordThreads: given.PASSWORD_THREADS ?? Math.min(Math.max(availableParallelism() - 1, 1), 8),
    defaultLanguage: given.DEFAULT_LANGUAGE,
    logLevel: given.LOG_LEVEL,
    auditDays: given.AUDIT_RETENTION_DAYS,
    corsOrigins: given.CORS_ORIGINS ?? [],
    allowsLocalOrigins: given.NODE_ENV === 'development' && given.CORS_ORIGINS === undefined,
    trustedProxies: given.TRUST_PROXY ?? [],
  }
}
