import type { Seals } from '../adapters/keys/audit-seals.ts'
import { sealAuditTrail } from './audit-seals/seal.ts'
import type { Context } from '../context.ts'
import type { FileStore } from './file-store/index.ts'
import { sweepSchedule } from './file-store/sweep/schedule.ts'
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
  /** Returns a function that runs a task and logs its failure. It never rejects. */
  const task = (name: string, work: () => Promise<void>): (() => Promise<void>) => {
    const run = measured(name, work)
    return () => run().catch((error: unknown) => log.warn({ err: error }, `${name} failed`))
  }
  const seal = task('audit trail sealing', () => sealAuditTrail({ store, seals, clock, log }))
  const files = sweepSchedule(fileStore)
  const sweepFiles = task('file sweep', files.sweep)
  const sweeps = [
    task('database sweep', async () => {
      await seal() // first, because retention deletes whole sealed ranges
      await store.deleteExpired(auditDays)
    }),
    task('account deletion', async () => {
      if ((await store.deletions.carryOut()) === 0) return
      files.request()
      void sweepFiles()
    }),
    task('upload sweep', () => sweepUploads(uploadsDirectory)),
  ]
  const refresh = task('lookup refresh', () => lookups.refresh())
  const renew = task('file store renewal', async () => {
    await fileStore.renew()
  })
  const every = (ms: number, run: () => Promise<void>): NodeJS.Timeout => setInterval(() => void run(), ms)
  const timers = [
    ...sweeps.map((sweep) => setTimeout(() => void sweep(), FIRST_SWEEP_DELAY_MS)),
    ...sweeps.map((sweep) => every(SWEEP_INTERVAL_MS, sweep)),
    every(REFRESH_INTERVAL_MS, refresh),
    every(SEAL_INTERVAL_MS, seal),
    every(RENEWAL_INTERVAL_MS, renew),
    every(FILE_SWEEP_INTERVAL_MS, sweepFiles),
  ]
  for (const timer of timers) timer.unref()
  return { stop: () => timers.forEach(clearInterval) }
}
