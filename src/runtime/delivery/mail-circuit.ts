import { watchCircuit, type CircuitStateName } from '../../adapters/resilience/circuit.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'

const FAILURES_MAX = 5
const OPEN_MS = 4000

export type MailCircuit = {
  /** Returns how many e-mails may be taken now, at most `limit`. */
  allow(limit: number): number
  /** Notes that the mail server works, also if it rejected an e-mail. */
  succeed(): void
  /** Notes a failure that concerns all e-mails. */
  fail(): void
}

/**
 * A circuit breaker for the mail server. After five failures in a row no e-mail is taken for four seconds; then one e-mail
 * tests every four seconds whether the server has recovered. E-mails that are not taken count no attempt, so that they are
 * sent soon after an outage of any length, and not only after the longest delay.
 */
export function createMailCircuit(clock: Clock, metrics: Metrics | undefined): MailCircuit {
  let failures = 0
  let openUntilMs: number | undefined
  const state = (): CircuitStateName => {
    if (openUntilMs === undefined) return 'closed'
    return clock.nowMs() < openUntilMs ? 'open' : 'half_open'
  }
  watchCircuit(metrics, 'mail', state)
  return {
    allow(limit) {
      const current = state()
      if (current === 'closed') return limit
      if (current === 'open') return 0
      openUntilMs = clock.nowMs() + OPEN_MS
      return Math.min(limit, 1)
    },
    succeed() {
      failures = 0
      openUntilMs = undefined
    },
    fail() {
      failures++
      if (failures >= FAILURES_MAX) openUntilMs = clock.nowMs() + OPEN_MS
    },
  }
}
