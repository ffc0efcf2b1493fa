import { LIMITS } from '../../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../../generated/rate-limits.ts'
import type { Clock } from '../../../domain/clock.ts'
import type { Counter, Policy } from '../../../domain/rate-limiter.ts'
import { rangesAround, canReceiveCode, type Phone } from '../../../domain/phones/phone.ts'
import type { Channel, FraudOptions, Proof, UnconfirmedBudgets } from '../../../domain/phones/sms.ts'
import { maskPhone } from '../../../domain/text.ts'
import type { Log } from '../../../lib/log.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import type { ReportStatuses } from '../../limits/count-failures.ts'
import type { OutgoingSms } from '../index.ts'
import { numberTypeOf } from '../phone-numbers.ts'
import { EASES, withShares, unconfirmedCounters } from './unconfirmed.ts'

/** What the rules say about one message: its counters, and what receives their statuses, in the same order. */
type Screening = Readonly<{ counters: readonly Counter[]; report?: ReportStatuses }>

/** The rules against SMS pumping: messages that an attacker requests because he earns money with their delivery. */
export type FraudRules = Readonly<{
  screen(message: OutgoingSms, proof: Proof): Screening
  /**
   * Returns whether codes may be sent to the type of a number, for example a landline.
   *
   * @param isRequested false for a channel that a message may fall back to, which is not recorded
   */
  acceptsType(to: Phone, channel: Channel | undefined, isRequested: boolean): boolean
}>

/** Records that rules would reject a message to a number. The rules are names of policies, or `number-type`. */
type RecordFindings = (rules: readonly string[], to: Phone) => void

/** Creates the rules. In the mode `record`, the counters of a message count in the same way but never reject it. */
export function fraudRules(
  { mode, unconfirmed }: FraudOptions,
  { record, reject }: { record: RecordFindings; reject?: (to: Phone) => void },
): FraudRules {
  return {
    screen(message, proof) {
      const counters = countersOf(message, unconfirmed, proof)
      return mode === 'enforce' ? { counters } : recorded(counters, (rules) => record(rules, message.to))
    },
    acceptsType(to, channel, isRequested) {
      if (canReceiveCode(numberTypeOf(to.e164), channel)) return true
      if (isRequested && mode === 'enforce') reject?.(to)
      if (isRequested && mode === 'record') record(['number-type'], to)
      return mode === 'record'
    },
  }
}

/**
 * Returns the counters of a message. Messages to existing accounts count for neighbouring numbers only: their numbers are
 * known, and notices have no code to confirm.
 */
function countersOf({ to, network, purpose }: OutgoingSms, unconfirmed: UnconfirmedBudgets, proof: Proof): Counter[] {
  const { block_distance: near, range_distance: far, free_percent } = LIMITS.sms
  const within = (keys: readonly string[], all: Policy, own: Policy): { shared: Counter[]; own: Counter[] } => ({
    shared: keys.map((key) => ({ policy: { ...all, points: (all.points * 100) / free_percent, eases: EASES }, key })),
    own: keys.map((key) => ({ policy: own, key: `${key} ${network}` })),
  })
  const blocks = within(rangesAround(to.e164, near), RATE_LIMITS['sms-block'], RATE_LIMITS['sms-block-network'])
  if (purpose !== 'verification') return [...withShares(blocks.shared, 'known_network'), ...blocks.own]
  const ranges = within(rangesAround(to.e164, far), RATE_LIMITS['sms-range'], RATE_LIMITS['sms-range-network'])
  const country = unconfirmedCounters(unconfirmed, { callingCode: to.callingCode, network })
  const shared = [...blocks.shared, ...ranges.shared, country.shared]
  return [...withShares(shared, proof), ...blocks.own, ...ranges.own, country.own]
}

/** Returns counters without a limit, which report the rules whose limits were reached before the message. */
function recorded(counters: readonly Counter[], record: (rules: readonly string[]) => void): Screening {
  let isFirst = true
  return {
    counters: counters.map((counter) => ({ ...counter, onlyCounts: true })),
    report(statuses) {
      if (!isFirst) return // the statuses after the message
      isFirst = false
      const rules = counters.flatMap(({ policy }, at) => (statuses[at]?.remaining === 0 ? [policy.name] : []))
      if (rules.length > 0) record([...new Set(rules)])
    },
  }
}

const LOG_EVERY_MS = 1000
type Tools = Readonly<{ log: Log; metrics: Metrics | undefined; clock: Clock }>

/** Counts findings by rule and calling code, and logs one at most once a second. */
export function findingRecorder({ log, metrics, clock }: Tools): RecordFindings {
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
