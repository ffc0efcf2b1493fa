import { LIMITS } from '../../../generated/limits.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Counter, Policy, RateLimitStatus } from '../../domain/limits/policy.ts'
import type { SmsResult } from '../../domain/phones/sms.ts'
import type { Limits } from '../limits/index.ts'
import type { RecordBudgets } from './budget-metrics.ts'
import type { Sms } from './index.ts'

/**
 * Daily limits of SMS: in total, and per calling code. One network may use `networkPercent` of each, and `resetPercent`
 * of each is reserved for password resets of existing accounts.
 */
export type SmsBudgets = Readonly<{
  perDay: number
  perCountryPerDay: number
  networkPercent: number
  resetPercent: number
}>

type Message = Parameters<Sms['send']>[0]

const DAY_SECONDS = 86_400

/**
 * Sends messages within the budgets. A message that every provider refused costs nothing. The counters are not reported to
 * clients, because they count what other clients send.
 */
export function withBudgets(
  budgets: SmsBudgets,
  sms: Sms,
  { limits, record }: { limits: Pick<Limits, 'countFailures'>; record?: RecordBudgets | undefined },
): Sms {
  const buildCounters = (message: Message): Counter[] => {
    const { to, network } = message
    const block = to.e164.slice(0, -LIMITS.sms.block_digits)
    return [
      // SMS pumping uses runs of neighbouring numbers.
      { policy: RATE_LIMITS['sms-block'], key: block },
      { policy: RATE_LIMITS['sms-block-network'], key: `${block} ${network}` },
      ...buildBudgetCounters('sms-country-day', budgets.perCountryPerDay, to.callingCode, message),
      ...buildBudgetCounters('sms-day', budgets.perDay, 'all', message),
    ]
  }
  /** Returns the counters of one budget: the points that the purpose may use, and the share of the network. */
  const buildBudgetCounters = (name: string, points: number, key: string, { network, purpose }: Message): Counter[] => {
    const policy: Policy = { name, points, seconds: DAY_SECONDS, failsClosed: true }
    const reserved = purpose === 'reset' ? 0 : Math.floor(percentage(points, budgets.resetPercent))
    const share = Math.max(1, Math.ceil(percentage(points, budgets.networkPercent)))
    return [
      { policy: { ...policy, points: points - reserved }, key },
      { policy: { ...policy, name: `${name}-network`, points: share }, key: `${key} ${network}` },
    ]
  }
  return {
    async send(message) {
      const costs = ({ outcome }: SmsResult): boolean => outcome !== 'refused'
      const { callingCode } = message.to
      const report = record && ((statuses: readonly RateLimitStatus[]): void => record(statuses, callingCode))
      return limits.countFailures(buildCounters(message), () => sms.send(message), costs, report)
    },
  }
}

function percentage(points: number, percent: number): number {
  return (points * percent) / 100
}
