import { Value } from '@sinclair/typebox/value'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Environment } from './config/environment.ts'
import { eventsConfigOf, type EventsConfig } from './config/events.ts'
import { filesConfigOf, uploadsFolderOf, type FilesConfig } from './config/files.ts'
import type { Language } from './messages/index.ts'
import { mailConfigOf, type MailConfig } from './config/mail.ts'
import { nearMisses } from './config/near-misses.ts'
import { problemsOf } from './config/problems.ts'
import { smsConfigOf, type SmsConfig } from './config/sms.ts'
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
  /** How long a proof of the password lasts */
  recentProofSeconds: number
  bcryptCost: number
  passwordThreads: number
  /** Where breached passwords are looked up; undefined: nowhere */
  passwordBreachUrl: string | undefined
  /** Whether an implausible national ID is only shown to reviewers, or also refused */
  nationalIdCheck: 'flag' | 'strict'
  defaultLanguage: Language
  logLevel: string
  /** How long audit events are kept */
  auditDays: number
  corsOrigins: string[]
  /** Whether pages of any origin on this machine may call the service */
  allowsLocalOrigins: boolean
  trustedProxies: string[]
}>

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from environment variables. An empty one counts as absent.
 *
 * @throws StartFailure that lists everything that is wrong
 */
export function readConfig(variables: Variables): Config {
  const given = valuesOf(variables)
  const problems = [...problemsOf(given), ...nearMisses(variables)]
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
    recentProofSeconds: given.RECENT_PROOF_SECONDS,
    bcryptCost: given.BCRYPT_COST ?? (isProduction ? 12 : 10),
    passwordThreads: given.PASSWORD_THREADS ?? Math.min(Math.max(availableParallelism() - 1, 1), 8),
    passwordBreachUrl: given.PASSWORD_BREACH_URL,
    nationalIdCheck: given.NATIONAL_ID_CHECK,
    defaultLanguage: given.DEFAULT_LANGUAGE,
    logLevel: given.LOG_LEVEL,
    auditDays: given.AUDIT_RETENTION_DAYS,
    corsOrigins: given.CORS_ORIGINS ?? [],
    allowsLocalOrigins: given.NODE_ENV === 'development' && given.CORS_ORIGINS === undefined,
    trustedProxies: given.TRUST_PROXY ?? [],
  }
}
