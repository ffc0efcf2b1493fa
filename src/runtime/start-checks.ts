// Checks of other systems at the start. A wrong configuration stops the start. A system that is only down does not.
import type { Config } from '../config/index.ts'
import { checkCapacity, checkPooler } from '../database/connection/check.ts'
import type { Database } from '../database/index.ts'
import { checkRelyingParty } from '../store/factors/relying-party.ts'
import { down, StartupError, type Finding } from '../lib/startup-error.ts'
import type { Log } from '../lib/log.ts'

type StartChecks = Readonly<{
  /**
   * Waits for the checks, and logs which systems are down.
   *
   * @throws StartupError with a line for each part of the configuration that is wrong
   */
  report(database: Database, log: Log): Promise<void>
}>

/** Starts the checks, so that they run while the database opens. */
export function startChecks(config: Config): StartChecks {
  const checks = checkDependencies(config)
  checks.catch(() => undefined) // `report` awaits them
  return {
    async report({ pool }, log) {
      const inDatabase = await Promise.all([checkSessions(config, pool), checkRelyingParty(pool, config.passkeys)])
      const found = [...(await checks), ...inDatabase, ...config.warnings.map(down)]
      reportFindings(
        found.filter((finding) => finding !== undefined),
        log,
      )
    },
  }
}

/** Checks the settings of sessions behind a pooler, or whether a server without one has enough connections. */
async function checkSessions(
  { databaseUrl, databasePooler, databaseConnections: connectionsMax }: Config,
  pool: Database['pool'],
): Promise<Finding | undefined> {
  if (databasePooler) return checkPooler(pool)
  return databaseUrl === undefined ? undefined : checkCapacity(pool, { connectionsMax, isStarting: true })
}

/** Checks the systems that are configured, at the same time. Their clients are loaded only if they are used. */
async function checkDependencies(config: Config): Promise<Finding[]> {
  const found = await Promise.all([checkRedis(config), checkMail(config), checkBucket(config)])
  return found.filter((finding) => finding !== undefined)
}

function reportFindings(findings: readonly Finding[], log: Log): void {
  const fatal = findings.filter(({ isFatal }) => isFatal)
  if (fatal.length > 0) throw new StartupError(fatal.map(({ text }) => text).join('\n'))
  for (const { text } of findings) log.warn(text)
}

async function checkRedis({ redisUrl: url, redisAccess: access, redisPrefix }: Config): Promise<Finding | undefined> {
  if (url === undefined) return undefined
  const { checkRedis } = await import('../adapters/limits/check.ts')
  return checkRedis({ url, access }, redisPrefix)
}

async function checkMail({ mail: { url, requiresTls } }: Config): Promise<Finding | undefined> {
  if (url === undefined) return undefined
  const { checkMail } = await import('../adapters/mail/check.ts')
  return checkMail({ url, requiresTls })
}

async function checkBucket({ files }: Config): Promise<Finding | undefined> {
  if ('directory' in files) return undefined
  const { checkBucket } = await import('../adapters/files/check.ts')
  return checkBucket(files.s3)
}
