import { LIMITS } from '../../../generated/limits.ts'
import type { Counter, Policy, RateLimitStatus } from '../../domain/limits.ts'
import type { SmsBudgets, SmsResult } from '../../domain/phones/sms.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Limits } from '../limits/index.ts'
import type { FraudRules } from './fraud/rules.ts'
import { needsProof, pointsAtOnce, UNCONFIRMED, withFreeShares, type UnconfirmedBudgets } from './fraud/unconfirmed.ts'
import type { OutgoingSms, Sms } from './index.ts'

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
  const buildCounters = (message: OutgoingSms, hasProof: boolean): Counter[] => [
    ...buildBudgetCounters(['sms-country-day', budgets.perCountryPerDay, message.to.callingCode], message, hasProof),
    ...buildBudgetCounters(['sms-day', budgets.perDay, 'all'], message, hasProof),
  ]
  /** Returns the counters of one budget: the points that the purpose may use, with and without proof, and the network's share. */
  const buildBudgetCounters = (
    [name, points, key]: [name: string, points: number, key: string],
    { network, purpose }: OutgoingSms,
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
  const sendWithin = ({ hasProof: _, ...message }: OutgoingSms, hasProof: boolean): Promise<SmsResult> => {
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

type MeasuredBudgets = Readonly<{ perDay: number; perCountryPerDay: number }> &
  Pick<UnconfirmedBudgets, 'perHomeCountry' | 'perOtherCountry'>
type Usage = Readonly<{ used: number; untilMs: number }>

/** The names of the budgets in the metrics, by policy. The first one is for all countries together. */
const BUDGETS: Readonly<Record<string, string>> = {
  'sms-day': 'day',
  'sms-country-day': 'country_day',
  [UNCONFIRMED]: 'unconfirmed',
}

/** Records what the counters of a message say about the budgets. */
type RecordBudgets = (statuses: readonly RateLimitStatus[], callingCode: string) => void

/** Returns a function that remembers how much of each budget was used when this instance last sent a message. */
export function budgetMetrics(budgets: MeasuredBudgets, metrics: Metrics): RecordBudgets {
  const { perDay, perCountryPerDay, perHomeCountry, perOtherCountry } = budgets
  const usages = new Map<string, Usage & { budget: string; callingCode: string }>()
  metrics.watch('tawthiq_sms_budget_limit', () => [
    { labels: { budget: 'day' }, value: perDay },
    { labels: { budget: 'country_day' }, value: perCountryPerDay },
    { labels: { budget: 'unconfirmed_home' }, value: pointsAtOnce(perHomeCountry) },
    { labels: { budget: 'unconfirmed' }, value: pointsAtOnce(perOtherCountry) },
  ])
  metrics.watch('tawthiq_sms_budget_used', () =>
    [...usages.values()].map(({ budget, callingCode, used, untilMs }) => ({
      labels: { budget, calling_code: callingCode },
      value: performance.now() < untilMs ? used : 0,
    })),
  )
  return (statuses, calledCode) => {
    for (const { policy, remaining, resetSeconds } of statuses) {
      const budget = BUDGETS[policy.name]
      if (budget === undefined) continue
      const callingCode = budget === 'day' ? '' : calledCode
      const untilMs = performance.now() + resetSeconds * 1000
      usages.set(`${budget} ${callingCode}`, { budget, callingCode, used: policy.points - remaining, untilMs })
    }
  }
}
