import type { Seals } from '../adapters/keys/audit-seals.ts'
import { sealAuditTrail } from './audit-seals/seal.ts'
import type { Context } from '../context.ts'
import type { FileStore } from './file-store/index.ts'
import { sweepSchedule } from './file-store/sweep-schedule.ts'
import { sweepUploads } from '../http/request/uploads.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { taskMetrics } from './observation/tasks.ts'

const SWEEP_INTERVAL_MS = 3_600_000
/** Short, so that a process that restarts frequently sweeps too */
const FIRST_SWEEP_DELAY_MS = 60_000
const REFRESH_INTERVAL_MS = 10_000
const SEAL_INTERVAL_MS = 600_000
const RENEWAL_INTERVAL_MS = 60_000
/** Short, because a process that has just started cannot sweep yet. Sweeps are nevertheless an hour apart. */
const FILE_SWEEP_INTERVAL_MS = 300_000

type Dependencies = Pick<Context, 'store' | 'lookups' | 'clock'> & {
  fileStore: FileStore
  seals: Seals
}
type Options = { auditDays: number; uploadsDirectory: string; log: Log; metrics?: Metrics | undefined }

/**
 * Sweeps the database and the files and refreshes the lookups periodically, until it is stopped. Every instance does
 * so: sweeping twice is cheap, and only one instance at a time sweeps files.
 */
export function startMaintenance(
  { store, lookups, clock, fileStore, seals }: Dependencies,
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
  const files = sweepSchedule(fileStore)
  const sweepFiles = inBackground('file sweep', files.sweep)
  const sweeps = [
    inBackground('database sweep', async () => {
      await seal() // first, because retention deletes whole sealed ranges
      await store.deleteExpired(auditDays)
    }),
    inBackground('account deletion', async () => {
      if ((await store.deletions.carryOut()) === 0) return
      files.request()
      sweepFiles()
    }),
    inBackground('upload sweep', () => sweepUploads(uploadsDirectory)),
  ]
  const refresh = inBackground('lookup refresh', () => lookups.refresh())
  const renew = inBackground('file store renewal', async () => {
    await fileStore.renew()
  })
  const timers = [
    ...sweeps.flatMap((sweep) => [setTimeout(sweep, FIRST_SWEEP_DELAY_MS), setInterval(sweep, SWEEP_INTERVAL_MS)]),
    setInterval(refresh, REFRESH_INTERVAL_MS),
    setInterval(() => void seal(), SEAL_INTERVAL_MS),
    setInterval(renew, RENEWAL_INTERVAL_MS),
    setInterval(sweepFiles, FILE_SWEEP_INTERVAL_MS),
  ]
  for (const timer of timers) timer.unref()
  return { stop: () => timers.forEach(clearInterval) }
}
