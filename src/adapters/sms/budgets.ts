import { LIMITS } from '../../../generated/limits.ts'
import type { Counter, Policy, RateLimitStatus } from '../../domain/rate-limiter.ts'
import type { Proof, SmsBudgets, SmsResult, UnconfirmedBudgets } from '../../domain/phones/sms.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Limits } from '../limits/index.ts'
import type { FraudRules } from './fraud/rules.ts'
import { needsProof, pointsAtOnce, UNCONFIRMED, withShares } from './fraud/unconfirmed.ts'
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
  const buildCounters = (message: OutgoingSms, proof: Proof): Counter[] => [
    ...buildBudgetCounters(['sms-country-day', budgets.perCountryPerDay, message.to.callingCode], message, proof),
    ...buildBudgetCounters(['sms-day', budgets.perDay, 'all'], message, proof),
  ]
  /** Returns the counters of one budget: of all messages, of codes for new numbers, with their shares, and of the network. */
  const buildBudgetCounters = (
    [name, points, key]: [name: string, points: number, key: string],
    { network, purpose }: OutgoingSms,
    proof: Proof,
  ): Counter[] => {
    const policy: Policy = { name, points, seconds: DAY_SECONDS, failsClosed: true }
    const isNew = purpose === 'verification'
    const unreserved = points - Math.floor((points * budgets.resetPercent) / 100)
    const codes = { policy: { ...policy, name: `${name}-codes`, points: unreserved }, key }
    const share = Math.max(1, Math.ceil((points * budgets.networkPercent) / 100))
    const own: Policy = { ...policy, name: `${name}-network`, points: share }
    return [
      ...withShares([{ policy, key }], isNew && proof !== 'none' ? proof : 'known_network', LIMITS.challenge.percent),
      ...(isNew ? withShares([codes], proof, LIMITS.challenge.percent) : []),
      { policy: own, key: `${key} ${network}` },
    ]
  }
  const sendWithin = ({ findProof: _, ...message }: OutgoingSms, proof: Proof): Promise<SmsResult> => {
    const costs = ({ outcome }: SmsResult): boolean => outcome !== 'refused'
    const { counters, report: reportFraud } = fraud.screen(message, proof)
    const report = (statuses: readonly RateLimitStatus[]): void => {
      reportFraud?.(statuses)
      record?.(statuses, message.to.callingCode)
    }
    return limits.countFailures([...counters, ...buildCounters(message, proof)], () => sms.send(message), costs, report)
  }
  const sendBy = (message: OutgoingSms, proof: Proof): Promise<SmsResult> =>
    sendWithin(message, proof).catch(async (error: unknown) => {
      const better = needsProof(error) ? await message.findProof?.(error, proof) : undefined
      if (!better) throw error
      return sendBy(message, better)
    })
  return { send: (message) => sendBy(message, 'none') }
}

type MeasuredBudgets = Readonly<{ perDay: number; perCountryPerDay: number }> &
  Pick<UnconfirmedBudgets, 'perHomeCountry' | 'perOtherCountry'>

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
  const usages = new Map<string, { budget: string; callingCode: string; used: number; untilMs: number }>()
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
