import type { RateLimitStatus } from '../../domain/limits.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { pointsAtOnce, UNCONFIRMED, type UnconfirmedBudgets } from './fraud/unconfirmed.ts'

type Budgets = Readonly<{ perDay: number; perCountryPerDay: number }> &
  Pick<UnconfirmedBudgets, 'perHomeCountry' | 'perOtherCountry'>
type Usage = Readonly<{ used: number; untilMs: number }>

/** The names of the budgets in the metrics, by policy. The first one is for all countries together. */
const BUDGETS: Readonly<Record<string, string>> = {
  'sms-day': 'day',
  'sms-country-day': 'country_day',
  [UNCONFIRMED]: 'unconfirmed',
}

/** Records what the counters of a message say about the budgets. */
export type RecordBudgets = (statuses: readonly RateLimitStatus[], callingCode: string) => void

/** Returns a function that remembers how much of each budget was used when this instance last sent a message. */
export function budgetMetrics(budgets: Budgets, metrics: Metrics): RecordBudgets {
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
