import { Value } from '@sinclair/typebox/value'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../generated/limits.ts'
import { aboutVariable, Environment } from './environment.ts'
import type { Language } from './messages/index.ts'
import { nearMisses } from './near-misses.ts'
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
  sms: Readonly<{
    /** In order of failover */
    providers: readonly ('log' | 'webhook')[]
    webhookUrl: string | undefined
    webhookToken: string | undefined
    /** Calling codes; undefined: all */
    countries: ReadonlySet<string> | undefined
  }>
  keys: Readonly<{ file: string } | { text: string }>
  tokens: Readonly<{ issuer: string; audience: string; lifeSeconds: number }>
  bcryptCost: number
  passwordThreads: number
  defaultLanguage: Language
  logLevel: string
  corsOrigins: string[]
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
  const problems = [...wrongValues(given), ...missingValues(given), ...nearMisses(variables)]
  if (problems.length === 0) return configOf(given)
  throw new StartFailure(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** Our own variables, with numbers and lists for text where the schema asks for them. */
function valuesOf(variables: Variables): Record<string, unknown> {
  const given = Object.entries(Environment.properties).flatMap(([name, { type }]) => {
    const text = variables[name]?.trim()
    return text ? [[name, valueOf(text, type as unknown)] as const] : []
  })
  return Object.fromEntries(given)
}

function valueOf(text: string, type: unknown): unknown {
  if (type === 'array') return text.split(',').map((item) => item.trim())
  return type === 'integer' && /^[0-9]{1,9}$/.test(text) ? Number(text) : text
}

function wrongValues(given: Record<string, unknown>): string[] {
  const names = [...Value.Errors(Environment, given)].map(({ path }) => path.split('/')[1] as keyof Environment)
  return [...new Set(names)].map((name) => {
    const isSecret = name === 'KEYS' || name === 'SMS_WEBHOOK_TOKEN' || name === 'DATABASE_URL' || name === 'REDIS_URL'
    const shown = isSecret ? 'its value' : JSON.stringify([given[name]].flat().join(','))
    return `${name}: ${shown} is not accepted. It takes ${aboutVariable(name).accepts}.`
  })
}

function missingValues(given: Environment): string[] {
  const missing = (name: keyof Environment, why: string): string[] =>
    given[name] === undefined ? [`${name} is missing: ${why} It takes ${aboutVariable(name).accepts}.`] : []
  const webhook = given.SMS_PROVIDERS?.includes('webhook')
    ? missing('SMS_WEBHOOK_URL', 'SMS_PROVIDERS names webhook.')
    : []
  if (given.NODE_ENV !== 'production') return webhook
  return [
    ...missing('DATABASE_URL', 'production has no embedded database.'),
    ...missing('REDIS_URL', 'instances in production share their limits.'),
    ...missing('SMS_PROVIDERS', 'production sends SMS.'),
    ...webhook,
    ...(given.SMS_PROVIDERS?.includes('log')
      ? ['SMS_PROVIDERS: log is not accepted in production, where codes must not be logged.']
      : []),
    ...(given.KEYS === undefined
      ? missing('KEYS_FILE', 'production makes no keys by itself (KEYS would do as well). Make them with npm run keys.')
      : []),
  ]
}

function configOf(given: Environment): Config {
  const isProduction = given.NODE_ENV === 'production'
  const dataDir = given.DATA_DIR ?? './data'
  const countries = given.SMS_COUNTRIES ?? (isProduction ? ['966'] : ['all'])
  return {
    isProduction,
    hasDemoData: given.NODE_ENV === undefined || given.NODE_ENV === 'development',
    host: given.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT ?? 3000,
    dataDir,
    databaseUrl: given.DATABASE_URL,
    databaseConnections: given.DATABASE_CONNECTIONS ?? 10,
    redisUrl: given.REDIS_URL,
    redisPrefix: 'tawthiq',
    sms: {
      providers: given.SMS_PROVIDERS ?? ['log'],
      webhookUrl: given.SMS_WEBHOOK_URL,
      webhookToken: given.SMS_WEBHOOK_TOKEN,
      countries: countries.includes('all') ? undefined : new Set(countries),
    },
    keys: given.KEYS === undefined ? { file: given.KEYS_FILE ?? join(dataDir, 'keys.json') } : { text: given.KEYS },
    tokens: {
      issuer: given.TOKEN_ISSUER ?? 'tawthiq',
      audience: given.TOKEN_AUDIENCE ?? 'tawthiq',
      lifeSeconds: given.ACCESS_TOKEN_TTL ?? LIMITS.access_token.minutes * 60,
    },
    bcryptCost: given.BCRYPT_COST ?? (isProduction ? 12 : 10),
    passwordThreads: given.PASSWORD_THREADS ?? Math.min(Math.max(availableParallelism() - 1, 1), 8),
    defaultLanguage: given.DEFAULT_LANGUAGE ?? 'ar',
    logLevel: given.LOG_LEVEL ?? 'info',
    corsOrigins: given.CORS_ORIGINS ?? [],
    trustedProxies: given.TRUST_PROXY ?? [],
  }
}
