import { fingerprintsOf } from '../../adapters/keys/fingerprints.ts'
import { parseKeyFile } from '../../adapters/keys/index.ts'
import type { Config } from '../../config/index.ts'
import { checkCapacity, onServed } from '../../database/connection/check.ts'
import { checkSettings } from '../../database/connection/settings.ts'
import { onDatabase, type DatabaseTarget } from '../../database/index.ts'
import { inspectDatabase, type Inspection } from '../../database/inspect.ts'
import { evaluateClock } from '../../lib/clock-difference.ts'
import type { Finding } from '../../lib/startup-error.ts'
import { dateKeys, findMismatches } from '../../domain/key-agreement.ts'
import { loadKeyText } from '../../runtime/keys/load.ts'
import { checkRelyingParty } from '../../store/factors/relying-party.ts'
import { readKeyHolders, type ReadHolders } from '../../store/key-holders.ts'
import { existingDatabase } from '../database.ts'
import { checkAdministrators } from './administrators.ts'
import { check, failOn, skipped, type CheckResult, type Run } from './result.ts'
import { missingKeyFile } from './services.ts'

/** Checks the connection, the rights of the user, the time zone and the migrations. */
export async function checkDatabase(config: Config, nowMs: () => number): Promise<CheckResult[]> {
  let found: Inspection | undefined
  const connection = await check('PostgreSQL', async () => {
    found = await inspectDatabase(existingDatabase(config), nowMs)
    return `version ${found.version}, user ${found.user}`
  })
  if (!found) return [connection]
  const inspection = found
  return [
    connection,
    await check('  writable', async () => {
      if (!inspection.isReadOnly) return 'yes'
      throw new Error('the database is read-only: it is a standby, or default_transaction_read_only is on')
    }),
    await check('  rights', () => checkRights(inspection)),
    await check('  time', () => checkTime(inspection)),
    await check('  migrations', () => checkMigrations(inspection, config)),
    inspection.tables.isReferenceCurrent
      ? { name: '  lookup rows', status: 'ok', text: 'up to date' }
      : skipped('  lookup rows', 'different from this version: migrate writes them'),
    ...(inspection.tables.pending.length > 0 ? [] : await checkRows(config)),
  ]
}

/** Checks that read the tables of the service. */
async function checkRows(config: Config): Promise<CheckResult[]> {
  const target = existingDatabase(config)
  const { passkeys } = config
  return [
    ...('url' in target ? await checkServer(config, target) : []),
    await check('  passkeys', async () => {
      const finding = await onDatabase(target, (client) => checkRelyingParty(client, passkeys)) // as the start does
      return toResult(finding, passkeys ? `for ${passkeys.id}` : 'not configured')
    }),
    await checkAdministrators(config),
  ]
}

/** Fails on a problem that stops the start, and warns of any other. */
function toResult(finding: Finding | undefined, text: string): string | { warning: string } {
  if (finding?.isFatal) failOn(finding)
  return finding ? { warning: finding.text } : text
}

async function checkRights({ forbidden, canCreate, user }: Inspection): Promise<string> {
  if (forbidden.length > 0) throw new Error(`${user} cannot use ${forbidden.join(', ')}`)
  return canCreate ? 'reads, writes and creates tables' : 'reads and writes; the owner of the tables must run migrate'
}

async function checkTime({ timeZone, aheadMs }: Inspection): ReturnType<Run> {
  if (timeZone !== 'UTC') throw new Error(`connections use the time zone ${timeZone} instead of UTC`)
  return toResult(evaluateClock(aheadMs), `UTC, clocks differ by ${(Math.abs(aheadMs) / 1000).toFixed(1)} s`)
}

async function checkMigrations({ tables, canCreate }: Inspection, { migratesAtStart }: Config): Promise<string> {
  const { pending, applied, later } = tables
  const [first] = pending
  if (first && !(migratesAtStart && canCreate)) {
    throw new Error(`${pending.length} missing, the first is ${first.name}: run migrate as the owner of the tables`)
  }
  if (first) return `${applied.length} applied, ${pending.length} missing: the start or migrate applies them`
  return later.length > 0 ? `up to date, and ${later.length} of a later version` : `up to date (${applied.length})`
}

/** Checks what all instances on a server share: its connections, the keys, and the settings of their sessions. */
async function checkServer(config: Config, server: Extract<DatabaseTarget, { url: string }>): Promise<CheckResult[]> {
  const { databaseConnections: connectionsMax, databasePooler } = config
  return [
    await check('  connections', async () => {
      if (databasePooler) return `${connectionsMax} for each instance, to the pooler`
      const options = { connectionsMax, isStarting: false }
      failOn(await onDatabase(server, (client) => checkCapacity(client, options)))
      return `${connectionsMax} for each instance`
    }),
    missingKeyFile(config) === undefined
      ? await check('  keys', async () =>
          compareKeys(config, await onDatabase(server, (client) => readKeyHolders(client))),
        )
      : skipped('  keys', 'the key file does not exist'),
    await check('  settings', async () => toResult(await onServed(server, checkSettings), 'as the service needs them')),
  ]
}

/** Compares the keys of the configuration with those of the instances that run, or else with the one that ran last. */
function compareKeys(config: Config, { holders, nowMs }: ReadHolders): string {
  const running = holders.filter(({ isRunning }) => isRunning)
  const { text, name } = loadKeyText(config)
  const own = { keys: dateKeys(fingerprintsOf(parseKeyFile(text, name)), holders, nowMs), used: {} }
  const [different] = findMismatches(own, running.length > 0 ? running : holders.slice(0, 1), nowMs)
  if (!different) return `those of ${running.length} running instances`
  throw new Error(
    `the instance ${different.name} ${different.isRunning ? 'runs' : 'ran last'} with other keys, so each rejects the tokens, codes and links of the other: give all instances the same key file, see docs/operate.md#different-keys`,
  )
}
