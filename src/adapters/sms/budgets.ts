import { LIMITS } from '../../../generated/limits.ts'
import type { Counter, Policy, RateLimitStatus } from '../../domain/limits.ts'
import type { SmsBudgets, SmsResult } from '../../domain/phones/sms.ts'
import type { Limits } from '../limits/index.ts'
import type { RecordBudgets } from './budget-metrics.ts'
import type { FraudRules } from './fraud/rules.ts'
import { needsProof, withFreeShares } from './fraud/unconfirmed.ts'
import type { Sms } from './index.ts'

type Message = Parameters<Sms['send']>[0]

const DAY_SECONDS = 86_400

type Tools = {
  limits: Pick<Limits, 'countFailures'>
  fraud: Pick<FraudRules, 'screen'>
  record?: RecordBudgets | undefined
}

/**
 * Sends messages within the budgets and the limits of the fraud rules, and with proof within their reserves too. A message that
 * every provider refused costs nothing. The counters are not reported to clients, because they count what other clients send.
 */
export function withBudgets(budgets: SmsBudgets, sms: Sms, { limits, fraud, record }: Tools): Sms {
  const buildCounters = (message: Message, hasProof: boolean): Counter[] => [
    ...buildBudgetCounters(['sms-country-day', budgets.perCountryPerDay, message.to.callingCode], message, hasProof),
    ...buildBudgetCounters(['sms-day', budgets.perDay, 'all'], message, hasProof),
  ]
  /** Returns the counters of one budget: the points that the purpose may use, with and without proof, and the network's share. */
  const buildBudgetCounters = (
    [name, points, key]: [name: string, points: number, key: string],
    { network, purpose }: Message,
    hasProof: boolean,
  ): Counter[] => {
    const policy: Policy = { name, points, seconds: DAY_SECONDS, failsClosed: true }
    const reserved = purpose === 'reset' ? 0 : Math.floor(percentage(points, budgets.resetPercent))
    const all: Counter = { policy: { ...policy, points: points - reserved }, key }
    const isFree = purpose === 'verification' && !hasProof
    const share = Math.max(1, Math.ceil(percentage(points, budgets.networkPercent)))
    const own: Policy = { ...policy, name: `${name}-network`, points: share }
    return [
      ...(isFree ? withFreeShares([all], LIMITS.challenge.percent) : [all]),
      { policy: own, key: `${key} ${network}` },
    ]
  }
  const sendWithin = ({ hasProof: _, ...message }: Message, hasProof: boolean): Promise<SmsResult> => {
    const costs = ({ outcome }: SmsResult): boolean => outcome !== 'refused'
    const { counters, report: reportFraud } = fraud.screen(message, hasProof)
    const report = (statuses: readonly RateLimitStatus[]): void => {
      reportFraud?.(statuses)
      record?.(statuses, message.to.callingCode)
    }
    return limits.countFailures(
      [...counters, ...buildCounters(message, hasProof)],
      () => sms.send(message),
      costs,
      report,
    )
  }
  return {
    async send(message) {
      try {
        return await sendWithin(message, false)
      } catch (error) {
        if (needsProof(error) && (await message.hasProof?.(error))) return sendWithin(message, true)
        throw error
      }
    },
  }
}

function percentage(points: number, percent: number): number {
  return (points * percent) / 100
}
