import { Value } from '@sinclair/typebox/value'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseCaptchaConfig, type CaptchaConfig } from './security/captcha.ts'
import { readCountryProviders, type CountryProviders } from './sms/providers.ts'
import { developmentRisks } from './development.ts'
import { Environment, type Variables } from './environment.ts'
import { parseEventsConfig, type EventsConfig } from './events.ts'
import { parseFilesConfig, chooseUploadsDirectory, type FilesConfig } from './files.ts'
import type { Language } from '../messages/index.ts'
import { parseInstallation, parseShutdownConfig, type InstallationConfig, type ShutdownConfig } from './server.ts'
import { parseMailConfig, type MailConfig } from './mail.ts'
import { nearMisses } from './names/unknown-variables.ts'
import { accountPagesUrl, parsePagesConfig, type PagesConfig } from './pages.ts'
import { parsePasskeyApps, parsePasskeyConfig, type PasskeyApps, type PasskeyConfig } from './security/passkeys.ts'
import { listProblems } from './problems.ts'
import { parseRedisAccess, type RedisAccess } from './redis.ts'
import { readSecretFiles } from './names/secrets.ts'
import { parseSmsConfig, type SmsConfig } from './sms/index.ts'
import { StartupError } from '../lib/startup-error.ts'
import { parseTelemetryConfig, type TelemetryConfig } from './telemetry/index.ts'
import { listWarnings } from './warnings.ts'

export type Config = Readonly<{
  isProduction: boolean
  hasDemoData: boolean
  host: string
  port: number
  shutdown: ShutdownConfig
  dataDir: string
  databaseUrl: string | undefined
  databaseConnections: number
  databaseIdleConnections: number
  databaseWaitSeconds: number
  migratesAtStart: boolean
  /** Replaces the password of both URLs of the database */
  databasePassword: string | undefined
  databasePooler: 'transaction' | undefined
  /** The database without its pooler */
  databaseDirectUrl: string | undefined
  redisUrl: string | undefined
  redisAccess: RedisAccess
  /** Prefix of all keys in Redis */
  redisPrefix: string
  sms: SmsConfig
  /** undefined: no challenge is required */
  captcha: CaptchaConfig | undefined
  mail: MailConfig
  /** undefined: the account pages are not served */
  pages: PagesConfig | undefined
  /** undefined: events are not delivered */
  events: EventsConfig | undefined
  files: FilesConfig
  uploadsDirectory: string
  keys: Readonly<{ file: string } | { text: string }>
  tokens: Readonly<{ issuer: string; audience: string; lifeSeconds: number }>
  /** How long a login or a password confirmation allows sensitive operations */
  recentProofSeconds: number
  /** undefined: there are no passkeys */
  passkeys: PasskeyConfig | undefined
  passkeyApps: PasskeyApps
  /** What the document says about this installation */
  installation: InstallationConfig
  bcryptCost: number
  passwordThreads: number
  /** Range API of breached passwords; undefined: not looked up */
  passwordBreachUrl: string | undefined
  /** Whether administrators need a second factor */
  administratorsNeedFactor: boolean
  /** Whether an implausible national ID is only shown to reviewers, or also rejected */
  nationalIdCheck: 'flag' | 'strict'
  defaultLanguage: Language
  logLevel: string
  /** Retention of audit events */
  auditDays: number
  corsOrigins: string[]
  /** Whether pages of every localhost origin can call the service */
  allowsLocalOrigins: boolean
  trustedProxies: string[]
  telemetry: TelemetryConfig
  /** What is ignored or missing, for operators */
  warnings: readonly string[]
}>

/**
 * Reads the configuration from environment variables. An empty value counts as unset.
 *
 * @throws StartupError that lists every problem
 */
export function readConfig(environment: Variables): Config {
  const { variables, problems: fileProblems } = readSecretFiles(environment)
  const given = parseValues(variables)
  const countryProviders = readCountryProviders(variables)
  const problems = [
    ...developmentRisks(variables, ''),
    ...fileProblems,
    ...listProblems(given, countryProviders),
    ...nearMisses(variables),
  ]
  if (problems.length === 0 && Value.Check(Environment, given))
    return { ...buildConfig(given, countryProviders), warnings: listWarnings(given, countryProviders, variables) }
  throw new StartupError(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** Returns the variables with their defaults, converted to numbers and lists as the schema requires. */
function parseValues(variables: Variables): Record<string, unknown> {
  const given = Object.entries(Environment.properties).flatMap(([name, { type }]) => {
    const text = variables[name]?.trim()
    return text ? [[name, parseValue(text, type as unknown)] as const] : []
  })
  return Value.Default(Environment, Object.fromEntries(given)) as Record<string, unknown> // Default returns its input, an object
}

function parseValue(text: string, type: unknown): unknown {
  if (type === 'array') return text.split(',').map((item) => item.trim())
  return type === 'integer' && /^[0-9]{1,9}$/.test(text) ? Number(text) : text
}

function buildConfig(given: Environment, countryProviders: CountryProviders): Omit<Config, 'warnings'> {
  const isProduction = given.NODE_ENV === 'production'
  const passkeys = parsePasskeyConfig(given, isProduction)
  return {
    isProduction,
    hasDemoData: given.NODE_ENV === 'development',
    host: given.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT,
    shutdown: parseShutdownConfig(given),
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databaseConnections: given.DATABASE_CONNECTIONS,
    databaseIdleConnections: given.DATABASE_IDLE_CONNECTIONS,
    databaseWaitSeconds: given.DATABASE_WAIT_SECONDS,
    migratesAtStart: given.MIGRATE_AT_START === 'yes',
    databasePassword: given.DATABASE_PASSWORD,
    databasePooler: given.DATABASE_POOLER === 'transaction' ? 'transaction' : undefined,
    databaseDirectUrl: given.DATABASE_DIRECT_URL,
    redisUrl: given.REDIS_URL,
    redisAccess: parseRedisAccess(given),
    redisPrefix: given.REDIS_PREFIX,
    sms: parseSmsConfig(given, countryProviders),
    captcha: parseCaptchaConfig(given),
    mail: parseMailConfig(given, accountPagesUrl(given)),
    pages: parsePagesConfig(given, passkeys),
    events: parseEventsConfig(given),
    files: parseFilesConfig(given),
    uploadsDirectory: chooseUploadsDirectory(given),
    keys:
      given.KEYS === undefined ? { file: given.KEYS_FILE ?? join(given.DATA_DIR, 'keys.json') } : { text: given.KEYS },
    tokens: { issuer: given.TOKEN_ISSUER, audience: given.TOKEN_AUDIENCE, lifeSeconds: given.ACCESS_TOKEN_TTL },
    recentProofSeconds: given.RECENT_PROOF_SECONDS,
    passkeys,
    passkeyApps: parsePasskeyApps(given),
    installation: parseInstallation(given),
    bcryptCost: given.BCRYPT_COST ?? (isProduction ? 12 : 10),
    passwordThreads: given.PASSWORD_THREADS ?? Math.min(Math.max(availableParallelism() - 1, 1), 8),
    passwordBreachUrl: given.PASSWORD_BREACH_URL,
    administratorsNeedFactor: given.MFA_REQUIRED === 'administrators',
    nationalIdCheck: given.NATIONAL_ID_CHECK,
    defaultLanguage: given.DEFAULT_LANGUAGE,
    logLevel: given.LOG_LEVEL,
    auditDays: given.AUDIT_RETENTION_DAYS,
    corsOrigins: given.CORS_ORIGINS ?? [],
    allowsLocalOrigins: given.NODE_ENV === 'development' && given.CORS_ORIGINS === undefined,
    trustedProxies: given.TRUST_PROXY ?? [],
    telemetry: parseTelemetryConfig(given),
  }
}
