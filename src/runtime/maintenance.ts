import type { FileStorage } from '../adapters/files/storage.ts'
import type { Seals } from '../adapters/keys/audit-seals.ts'
import { sealAuditTrail } from './audit-seals/seal.ts'
import type { Context } from '../context.ts'
import type { DeletionLock } from './orphan-files/deletion-lock.ts'
import { sweepFiles } from './orphan-files/sweep.ts'
import { sweepUploads } from '../http/request/uploads.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { taskMetrics } from './observation/tasks.ts'

const SWEEP_INTERVAL_MS = 3_600_000
/** Short, so that a process that restarts frequently sweeps too */
const FIRST_SWEEP_DELAY_MS = 60_000
const REFRESH_INTERVAL_MS = 10_000
const SEAL_INTERVAL_MS = 600_000
/** Slightly less than the interval between sweeps, whose start times vary */
const FILE_SWEEPS_MINUTES_APART = 50

type Dependencies = Pick<Context, 'store' | 'lookups' | 'clock'> & {
  storage: FileStorage
  deletionLock: DeletionLock
  seals: Seals
}
type Options = { auditDays: number; uploadsDirectory: string; log: Log; metrics?: Metrics | undefined }

/**
 * Sweeps the database and the files and refreshes the lookups periodically, until it is stopped. Every instance does
 * so: sweeping twice is cheap, and only one instance at a time sweeps files.
 */
export function startMaintenance(
  { store, lookups, clock, storage, deletionLock, seals }: Dependencies,
  { auditDays, uploadsDirectory, log, metrics }: Options,
): { stop(): void } {
  const measured = taskMetrics(metrics)
  const logFailure =
    (task: string) =>
    (error: unknown): void =>
      log.warn({ err: error }, `${task} failed`)
  const inBackground = (task: string, work: () => Promise<void>): (() => void) => {
    const run = measured(task, work)
    return () => void run().catch(logFailure(task))
  }
  const sealMeasured = measured('audit trail sealing', () => sealAuditTrail({ store, seals, clock, log }))
  const seal = (): Promise<void> => sealMeasured().catch(logFailure('audit trail sealing'))
  const sweeps = [
    inBackground('database sweep', async () => {
      await seal() // first, because retention deletes whole sealed ranges
      await store.deleteExpired(auditDays)
    }),
    inBackground('account deletion', () => store.deletions.carryOut()),
    inBackground('file sweep', async () => {
      await sweepFiles({ storage, store, clock, log, deletionLock }, { minutesApart: FILE_SWEEPS_MINUTES_APART })
    }),
    inBackground('upload sweep', () => sweepUploads(uploadsDirectory)),
  ]
  const refresh = inBackground('lookup refresh', () => lookups.refresh())
  const timers = [
    ...sweeps.flatMap((sweep) => [setTimeout(sweep, FIRST_SWEEP_DELAY_MS), setInterval(sweep, SWEEP_INTERVAL_MS)]),
    setInterval(refresh, REFRESH_INTERVAL_MS),
    setInterval(() => void seal(), SEAL_INTERVAL_MS),
  ]
  for (const timer of timers) timer.unref()
  return { stop: () => timers.forEach(clearInterval) }
}
