import type { Clock } from '../../../domain/clock.ts'
import { maskPhone } from '../../../domain/text.ts'
import type { Phone } from '../../../domain/phones/phone.ts'
import type { Log } from '../../../lib/log.ts'
import type { Metrics } from '../../../lib/metrics.ts'

/** Records that rules would reject a message to a number. The rules are names of policies, or `number-type`. */
export type RecordFindings = (rules: readonly string[], to: Phone) => void

const LOG_EVERY_MS = 1000

/** Counts findings by rule and calling code, and logs one at most once a second. */
export function findingRecorder({
  log,
  metrics,
  clock,
}: {
  log: Log
  metrics: Metrics | undefined
  clock: Clock
}): RecordFindings {
  let loggedAtMs = -Infinity
  let unlogged = 0
  return (rules, { e164, callingCode }) => {
    for (const rule of rules) metrics?.count('tawthiq_sms_fraud_recorded_total', { rule, calling_code: callingCode })
    if (clock.nowMs() - loggedAtMs < LOG_EVERY_MS) {
      unlogged++
      return
    }
    log.warn({ rules, to: maskPhone(e164), unlogged }, 'SMS fraud rules would reject this message')
    loggedAtMs = clock.nowMs()
    unlogged = 0
  }
}
