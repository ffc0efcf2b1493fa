import type { FileStorage } from './adapters/files/storage.ts'
import type { Seals } from './adapters/seals.ts'
import { sealAuditTrail } from './audit-trail/seal.ts'
import type { Context } from './context.ts'
import type { DeletionLock } from './file-store/deletion-lock.ts'
import { sweepFiles } from './file-store/sweep.ts'
import { sweepUploads } from './http/uploads.ts'
import type { Log } from './log.ts'

const SWEEP_MS = 3_600_000
/** A process that is started anew again and again sweeps as well. */
const FIRST_SWEEP_MS = 60_000
const REFRESH_MS = 10_000
const SEAL_MS = 600_000
/** A little less than the time between two sweeps, which do not begin to the second. */
const FILE_SWEEPS_MINUTES_APART = 50

type Kept = Pick<Context, 'store' | 'lookups' | 'clock'> & {
  storage: FileStorage
  deletionLock: DeletionLock
  seals: Seals
}
type Options = { auditDays: number; uploadsFolder: string; log: Log }

/**
 * Sweeps the database and the files, and looks whether the lookups have changed, now and then until it is stopped. Every
 * instance does: what is swept already costs the others nothing, and files are swept by one of them.
 */
export function startUpkeep(
  { store, lookups, clock, storage, deletionLock, seals }: Kept,
  { auditDays, uploadsFolder, log }: Options,
): { stop(): void } {
  const warn =
    (what: string) =>
    (error: unknown): void =>
      log.warn({ err: error }, `${what} failed`)
  const guarded = (what: string, work: () => Promise<void>) => (): void => void work().catch(warn(what))
  const seal = (): Promise<void> =>
    sealAuditTrail({ store, seals, clock, log }).catch(warn('the sealing of the audit trail'))
  const sweeps = [
    guarded('the sweep of the database', async () => {
      await seal() // first: retention deletes sealed events a whole range at a time
      await store.sweep(auditDays)
    }),
    guarded('the deletion of accounts', () => store.deletions.carryOut()),
    guarded('the sweep of the files', async () => {
      await sweepFiles({ storage, store, clock, log, deletionLock }, { minutesApart: FILE_SWEEPS_MINUTES_APART })
    }),
    guarded('the sweep of the uploads', () => sweepUploads(uploadsFolder)),
  ]
  const refresh = guarded('the refresh of the lookups', () => lookups.refresh())
  const timers = [
    ...sweeps.flatMap((sweep) => [setTimeout(sweep, FIRST_SWEEP_MS), setInterval(sweep, SWEEP_MS)]),
    setInterval(refresh, REFRESH_MS),
    setInterval(() => void seal(), SEAL_MS),
  ]
  for (const timer of timers) timer.unref()
  return { stop: () => timers.forEach(clearInterval) }
}
