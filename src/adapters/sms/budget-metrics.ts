import type { RateLimitStatus } from '../../domain/limits/policy.ts'
import type { Metrics } from '../../lib/metrics.ts'

type Budgets = Readonly<{ perDay: number; perCountryPerDay: number }>
type Usage = Readonly<{ used: number; untilMs: number }>

const DAY = 'sms-day'
const COUNTRY_DAY = 'sms-country-day'

/** Records what the counters of a message say about the budgets. */
export type RecordBudgets = (statuses: readonly RateLimitStatus[], callingCode: string) => void

/** Returns a function that remembers how much of each budget was used when this instance last sent a message. */
export function budgetMetrics({ perDay, perCountryPerDay }: Budgets, metrics: Metrics): RecordBudgets {
  const usages = new Map<string, Usage>()
  metrics.watch('tawthiq_sms_budget_limit', () => [
    { labels: { budget: 'day' }, value: perDay },
    { labels: { budget: 'country_day' }, value: perCountryPerDay },
  ])
  metrics.watch('tawthiq_sms_budget_used', () =>
    [...usages].map(([callingCode, { used, untilMs }]) => ({
      labels: { budget: callingCode === '' ? 'day' : 'country_day', calling_code: callingCode },
      value: performance.now() < untilMs ? used : 0,
    })),
  )
  return (statuses, callingCode) => {
    for (const { policy, remaining, resetSeconds } of statuses) {
      if (policy.name !== DAY && policy.name !== COUNTRY_DAY) continue
      const used = policy.points - remaining
      usages.set(policy.name === DAY ? '' : callingCode, { used, untilMs: performance.now() + resetSeconds * 1000 })
    }
  }
}
