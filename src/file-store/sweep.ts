import { randomUUID } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import type { EventName } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/index.ts'
import { AHEAD, bindFileStore, checkFileStore, countSweep, type Parts as BindingParts } from './binding.ts'
import { stockOf, type Stock } from './stock.ts'

type Parts = BindingParts & { store: Pick<Store, 'fileStore' | 'audit'>; clock: Clock; log: Log }

/** What a sweep did, or with `isDryRun` would do. */
export type Swept = Readonly<{
  outcome: 'swept' | 'too_many_orphans' | 'restored_database'
  stock: Stock
  /** How many orphans one sweep may take */
  bound: number
  deleted: readonly string[]
}>

type Options = Readonly<{
  /** Nothing is written or deleted. */
  isDryRun?: boolean
  /** A sweep is skipped when the last one ended less than so many minutes ago. */
  minutesApart?: number
  /** In place of the usual bound */
  orphansMax?: number | undefined
}>

export const QUARANTINE_DAYS = 7
const ORPHANS_MAX = 100
const ORPHANS_SHARE_MAX = 0.05
const DELETED_AT_ONCE = 100

/**
 * Deletes the files of deleted accounts, and what has had no row in the database for a week. One instance at a time:
 * resolves to undefined where another sweep runs or has just ended.
 *
 * Only objects with keys of our own shape, in a store that is bound to this database, are ever deleted. A sweep that finds
 * more orphans than it may take deletes and schedules nothing: that many orphans are a sign of the wrong database.
 */
export async function sweepFiles(parts: Parts, options: Options = {}): Promise<Swept | undefined> {
  const { isDryRun = false, minutesApart = 0 } = options
  if (isDryRun) return sweep(parts, options, () => Promise.resolve())

  const { fileStore } = parts.store
  await fileStore.identity() // the row that sweeps take turns by
  const sweepId = randomUUID()
  if (!(await fileStore.beginSweep(sweepId, minutesApart))) return undefined
  let isComplete = false
  try {
    const swept = await sweep(parts, options, async () => {
      if (!(await fileStore.continueSweep(sweepId))) throw new Error('another sweep has begun')
    })
    isComplete = true
    await report(swept, parts)
    return swept
  } finally {
    await fileStore.endSweep(sweepId, isComplete)
  }
}

async function sweep(parts: Parts, options: Options, goOn: () => Promise<void>): Promise<Swept> {
  const { storage, store, clock } = parts
  const { isDryRun = false, orphansMax } = options
  const isRestored = (await (isDryRun ? checkFileStore(parts) : bindFileStore(parts))) === 'ahead'
  const stock = await stockOf(storage, store, clock.nowMs(), goOn)
  const bound = orphansMax ?? Math.max(ORPHANS_MAX, Math.floor(stock.files * ORPHANS_SHARE_MAX))
  const isTooMuch = stock.orphans.length > bound
  const outcome = isRestored ? 'restored_database' : isTooMuch ? 'too_many_orphans' : 'swept'
  if (outcome !== 'swept') return { outcome, stock, bound, deleted: [] }

  if (!isDryRun) await store.fileStore.quarantine(stock.orphans, QUARANTINE_DAYS)
  const deleted = [
    ...(await deleteDue('account_deleted', Infinity, parts, goOn, isDryRun)),
    ...(await deleteDue('orphaned', bound, parts, goOn, isDryRun)),
  ]
  if (!isDryRun) await countSweep(parts)
  return { outcome, stock, bound, deleted }
}

/** Deletes what is due, at most so many, and gives the keys. */
async function deleteDue(
  reason: 'account_deleted' | 'orphaned',
  most: number,
  { storage, store: { fileStore } }: Parts,
  goOn: () => Promise<void>,
  isDryRun: boolean,
): Promise<string[]> {
  if (isDryRun) return fileStore.due(reason, Math.min(most, KEYS_SHOWN_MAX))
  const deleted: string[] = []
  while (deleted.length < most) {
    const keys = await fileStore.due(reason, Math.min(DELETED_AT_ONCE, most - deleted.length))
    if (keys.length === 0) break
    await goOn()
    for (const key of keys) await storage.remove(key)
    await fileStore.forget(keys)
    deleted.push(...keys)
  }
  return deleted
}

const KEYS_SHOWN_MAX = 10_000

async function report({ outcome, stock, bound, deleted }: Swept, { store, log }: Parts): Promise<void> {
  const { files, foreign, orphans, waiting } = stock
  const counts = { files, foreign, orphans: orphans.length, waiting: waiting.length, deleted: deleted.length }
  const event: EventName = outcome === 'swept' ? 'files_swept' : 'files_sweep_stopped'
  const words = Object.entries({ ...counts, outcome }).map(([name, value]) => `${name}=${value}`)
  if (outcome === 'too_many_orphans') {
    log.error({ ...counts, bound }, `${TOO_MANY}: npm run admin -- sweep-files --dry-run lists them`)
  } else if (outcome === 'restored_database') log.error(counts, AHEAD)
  await store.audit.record({ event, subject: words.join(' '), address: null, requestId: null })
}

const TOO_MANY = 'the sweep of the files stopped, as more files than it may take have no row in this database'
