import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../domain/clock.ts'
import type { EventName } from '../../../domain/audit/audit-context.ts'
import type { Log } from '../../../lib/log.ts'
import type { Store } from '../../../store/index.ts'
import { checkFileStore, QUARANTINE_DAYS } from '../ownership/binding.ts'
import { takeInventory, type Inventory } from './inventory.ts'
import type { FileStoreDependencies } from '../ownership/marker.ts'

export type SweepDependencies = FileStoreDependencies & {
  store: Pick<Store, 'fileStore' | 'audit'>
  clock: Clock
  log: Log
  /** Returns whether this database may delete files. It is called before each batch. */
  mayDelete(): Promise<boolean>
}

/** The result of a sweep, or what it would be with `isDryRun`. */
export type SweepResult = Readonly<{
  outcome: 'swept' | 'too_many_orphans' | 'not_holder'
  inventory: Inventory
  /** The maximum number of orphans */
  orphansAllowed: number
  deleted: readonly string[]
}>

export type SweepOptions = Readonly<{
  /** Whether nothing is written or deleted */
  isDryRun?: boolean
  /** Skips the sweep if the last one ended less than this many minutes ago */
  minutesApart?: number
  /** Replaces the default maximum */
  orphansMax?: number | undefined
}>

const ORPHANS_MAX = 100
const ORPHANS_SHARE_MAX = 0.05
const BATCH_KEYS = 100

/** A sweep that has begun. `assertCurrent` rejects if another one has begun since. */
type Sweeping = SweepDependencies & Readonly<{ isDryRun: boolean; assertCurrent(): Promise<void> }>

/**
 * Deletes the files of deleted accounts, and files without a row in the database for a week. Only one sweep runs at a
 * time: resolves to undefined if another one is running or has just ended.
 *
 * Only objects with keys in the service's format are deleted, and only while this database holds the store. A sweep that
 * finds more orphans than the maximum deletes and schedules nothing, because that indicates the wrong database.
 */
export async function sweepFiles(
  dependencies: SweepDependencies,
  { isDryRun = false, minutesApart = 0, orphansMax }: SweepOptions = {},
): Promise<SweepResult | undefined> {
  if (isDryRun) return sweep({ ...dependencies, isDryRun, assertCurrent: () => Promise.resolve() }, orphansMax)

  const { fileStore } = dependencies.store
  await fileStore.identity() // creates the row that sweeps lock
  const sweepId = randomUUID()
  if (!(await fileStore.beginSweep(sweepId, minutesApart))) return undefined
  const assertCurrent = async (): Promise<void> => {
    if (!(await fileStore.continueSweep(sweepId))) throw new Error('another sweep has started')
  }
  let isComplete = false
  try {
    const result = await sweep({ ...dependencies, isDryRun, assertCurrent }, orphansMax)
    isComplete = true
    await report(result, dependencies)
    return result
  } finally {
    await fileStore.endSweep(sweepId, isComplete)
  }
}

async function sweep(sweeping: Sweeping, orphansMax: number | undefined): Promise<SweepResult> {
  const { storage, store, clock, isDryRun, assertCurrent } = sweeping
  await checkFileStore(sweeping)
  const mayDeleteNow = await sweeping.mayDelete()
  const inventory = await takeInventory(storage, store, clock.nowMs(), assertCurrent)
  const orphansAllowed = orphansMax ?? Math.max(ORPHANS_MAX, Math.floor(inventory.files * ORPHANS_SHARE_MAX))
  const outcome = !mayDeleteNow
    ? 'not_holder'
    : inventory.orphans.length > orphansAllowed
      ? 'too_many_orphans'
      : 'swept'
  if (outcome !== 'swept') return { outcome, inventory, orphansAllowed, deleted: [] }

  if (!isDryRun) await store.fileStore.quarantine(inventory.orphans, QUARANTINE_DAYS)
  const ofAccounts = await deleteDue('account_deleted', Infinity, sweeping)
  const deleted = [...ofAccounts, ...(await deleteDue('orphaned', orphansAllowed, sweeping))]
  return { outcome, inventory, orphansAllowed, deleted }
}

/** Deletes the files that are due, up to a limit, and returns their keys. */
async function deleteDue(
  reason: 'account_deleted' | 'orphaned',
  limit: number,
  { storage, store: { fileStore }, mayDelete, isDryRun, assertCurrent }: Sweeping,
): Promise<string[]> {
  if (isDryRun) return fileStore.due(reason, Math.min(limit, KEYS_SHOWN_MAX))
  const deleted: string[] = []
  while (deleted.length < limit) {
    const keys = await fileStore.due(reason, Math.min(BATCH_KEYS, limit - deleted.length))
    if (keys.length === 0) break
    await assertCurrent()
    if (!(await mayDelete())) throw new Error('another copy of this database has taken over the file store')
    for (const key of keys) await storage.remove(key)
    await fileStore.forget(keys)
    deleted.push(...keys)
  }
  return deleted
}

const KEYS_SHOWN_MAX = 10_000

async function report(
  { outcome, inventory, orphansAllowed, deleted }: SweepResult,
  { store, log }: SweepDependencies,
): Promise<void> {
  const { files, foreign, orphans, waiting } = inventory
  const counts = { files, foreign, orphans: orphans.length, waiting: waiting.length, deleted: deleted.length }
  const event: EventName = outcome === 'swept' ? 'files_swept' : 'files_sweep_stopped'
  const subject = Object.entries({ ...counts, outcome }).map(([name, value]) => `${name}=${value}`)
  if (outcome === 'not_holder') log.error(counts, 'file sweep stopped: this database does not hold the file store')
  if (outcome === 'too_many_orphans') log.error({ ...counts, orphansAllowed }, TOO_MANY_MESSAGE)
  await store.audit.record({ event, subject: subject.join(' '), address: null, requestId: null })
}

const TOO_MANY_MESSAGE =
  'file sweep stopped: too many files have no row in this database (to list them, run npm run admin -- sweep-files --dry-run)'
