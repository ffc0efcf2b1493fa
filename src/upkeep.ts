import type { FileStorage } from './adapters/files/storage.ts'
import type { Context } from './context.ts'
import type { Log } from './log.ts'
import { sweepOrphans } from './orphans.ts'

const SWEEP_MS = 3_600_000
const REFRESH_MS = 10_000

type Kept = Pick<Context, 'store' | 'lookups' | 'clock'> & { storage: FileStorage }

/**
 * Sweeps the database and the files, and looks whether the lookups have changed, now and then until it is stopped. Every
 * instance does: what is swept already costs the others nothing.
 */
export function startUpkeep(
  { store, lookups, clock, storage }: Kept,
  { auditDays, log }: { auditDays: number; log: Log },
): { stop(): void } {
  const every = (ms: number, what: string, work: () => Promise<void>): NodeJS.Timeout => {
    const run = (): void => void work().catch((error: unknown) => log.warn({ err: error }, `${what} failed`))
    return setInterval(run, ms).unref()
  }
  const timers = [
    every(SWEEP_MS, 'the sweep of the database', () => store.sweep(auditDays)),
    every(SWEEP_MS, 'the sweep of the files', () => sweepOrphans(storage, store, clock.nowMs())),
    every(REFRESH_MS, 'the refresh of the lookups', () => lookups.refresh()),
  ]
  return { stop: () => timers.forEach(clearInterval) }
}
