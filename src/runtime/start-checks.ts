// Checks of other systems at the start. A wrong configuration stops the start. A system that is only down does not.
import type { Config } from '../config/index.ts'
import { checkCapacity } from '../database/connection/check.ts'
import { checkSettings } from '../database/connection/settings.ts'
import type { Database } from '../database/index.ts'
import { checkRelyingParty } from '../store/factors/relying-party.ts'
import { down, StartupError, type Finding } from '../lib/startup-error.ts'
import type { Log } from '../lib/log.ts'

/**
 * Starts the checks, so that they run while the database opens. Returns a function that waits for them, and logs which
 * systems are down. It throws a StartupError with a line for each part of the configuration that is wrong.
 */
export function startChecks(config: Config): (database: Database, log: Log) => Promise<void> {
  const checks = Promise.all([checkRedis(config), checkMail(config), checkBucket(config)])
  checks.catch(() => undefined) // awaited below
  return async ({ pool }, log) => {
    const inDatabase = [...(await checkSessions(config, pool)), await checkRelyingParty(pool, config.passkeys)]
    const found = [...(await checks), ...inDatabase, ...config.warnings.map(down)]
    const findings = found.filter((finding) => finding !== undefined)
    const fatal = findings.filter(({ isFatal }) => isFatal)
    if (fatal.length > 0) throw new StartupError(fatal.map(({ text }) => text).join('\n'))
    for (const { text } of findings) log.warn(text)
  }
}

/** Checks the settings of sessions, and whether a server without a pooler has enough connections. */
async function checkSessions(
  { databaseUrl, databasePooler, databaseConnections: connectionsMax }: Config,
  pool: Database['pool'],
): Promise<(Finding | undefined)[]> {
  if (databaseUrl === undefined) return []
  const capacity = databasePooler ? undefined : await checkCapacity(pool, { connectionsMax, isStarting: true })
  return [await checkSettings(pool), capacity]
}

// The clients of these systems are loaded only if they are used.

export async function checkRedis({
  redisUrl: url,
  redisAccess: access,
  redisPrefix,
}: Config): Promise<Finding | undefined> {
  if (url === undefined) return undefined
  const { checkRedis } = await import('../adapters/limits/check.ts')
  return checkRedis({ url, access }, redisPrefix)
}

export async function checkMail({ mail: { url, requiresTls } }: Config): Promise<Finding | undefined> {
  if (url === undefined) return undefined
  const { checkMail } = await import('../adapters/mail/check.ts')
  return checkMail({ url, requiresTls })
}

export async function checkBucket({ files }: Config): Promise<Finding | undefined> {
  if ('directory' in files) return undefined
  const { checkBucket } = await import('../adapters/files/check.ts')
  return checkBucket(files.s3)
}
