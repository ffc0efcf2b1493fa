// The clock of this machine and that of the database, which dates the sessions and codes of all instances.
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { down, StartupError, wrong, type Finding } from './startup-error.ts'

const WARNING_SECONDS = 30
const FATAL_SECONDS = 300

/**
 * Returns how far the clock of a server is ahead of this one, at least. Negative if it is behind.
 *
 * @param serverMs its time, at some moment between the request and the response
 */
export function clockDifference(serverMs: number, sentAtMs: number, receivedAtMs: number): number {
  return serverMs > receivedAtMs ? serverMs - receivedAtMs : Math.min(serverMs - sentAtMs, 0)
}

/** Returns a finding if other instances could reject the access tokens of this one. */
export function evaluateClock(aheadMs: number): Finding | undefined {
  const seconds = Math.abs(aheadMs) / 1000
  if (seconds <= WARNING_SECONDS) return undefined
  const text = `The clock of this machine is ${seconds.toFixed(0)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of the database, so other instances can reject its access tokens. Use NTP on both.`
  return seconds > FATAL_SECONDS ? wrong(text) : down(text)
}

type Parts = { clock: { nowMs(): number }; log: Log; metrics?: Metrics | undefined }

/** Returns what compares the clocks with each read, and logs a difference once. The first read rejects a large one. */
export function clockComparison({ clock, log, metrics }: Parts) {
  let aheadMs: number | undefined
  metrics?.watch('tawthiq_clock_difference_seconds', () => [{ labels: {}, value: (aheadMs ?? 0) / 1000 }])
  return async <Read extends { nowMs: number }>(read: () => Promise<Read>): Promise<Read> => {
    const [sentAtMs, lastMs] = [clock.nowMs(), aheadMs]
    const result = await read()
    aheadMs = clockDifference(result.nowMs, sentAtMs, clock.nowMs())
    const finding = evaluateClock(aheadMs)
    if (finding?.isFatal && lastMs === undefined) throw new StartupError(finding.text)
    if (finding && !evaluateClock(lastMs ?? 0)) log.warn(finding.text)
    return result
  }
}
