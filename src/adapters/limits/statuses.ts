// What a call reports about its counters, and its rejection.
import { rateLimited, type Counter, type Policy, type RateLimitStatus } from '../../domain/limits/policy.ts'
import type { Usage } from './attempt-counters.ts'

/** Receives the statuses of all counters of a call: when it begins or is rejected, and again after a failure. */
export type ReportStatuses = (statuses: readonly RateLimitStatus[]) => void

/** @throws Failure 429 `rate_limited` for the counter that stays used up for longest, of those that are named first */
export function refuseUsedUp(counters: readonly Counter[], usages: readonly Usage[], report: ReportStatuses): void {
  const [longest] = counters
    .map(({ policy }, at) => ({ at, policy, ...usageAt(usages, at) }))
    .filter(({ policy, failures }) => failures >= policy.points)
    .sort((one, other) => rank(one.policy) - rank(other.policy) || other.resetSeconds - one.resetSeconds)
  if (longest) refuse(counters, usages, longest, report)
}

function rank({ isNamedLast }: Policy): number {
  return isNamedLast ? 1 : 0
}

export function refuse(
  counters: readonly Counter[],
  usages: readonly Usage[],
  { at, resetSeconds }: { at: number; resetSeconds: number },
  report: ReportStatuses,
): never {
  report(toStatuses(counters, usages))
  const counter = counters[at]
  if (!counter) throw new Error('an attempt was rejected although no counter is full')
  throw rateLimited(counter, resetSeconds)
}

export function toStatuses(counters: readonly Counter[], usages: readonly Usage[]): RateLimitStatus[] {
  return counters.map(({ policy }, at) => {
    const { failures, resetSeconds } = usageAt(usages, at)
    return { policy, remaining: Math.max(0, policy.points - failures), resetSeconds }
  })
}

export function usageAt(usages: readonly Usage[], at: number): Usage {
  return usages[at] ?? { failures: 0, running: 0, resetSeconds: 0 }
}
