// Counts failed attempts. Invariants, each with a property test in test/property/counted-attempts.test.ts:
//
// 1. In one window, at most as many attempts fail as each policy has points, however many run in parallel.
// 2. At no time do more attempts run than a policy has points.
// 3. A successful attempt costs nothing: attempts that all succeed are never rejected.
// 4. An attempt is rejected only when a counter is used up by failures.
// 5. The caller gets the result of its attempt, or the error that it threw; an attempt that throws is not counted.
// 6. An attempt that is rejected by one counter reserves no point of any other.
// 7. Each report has one status for each counter, with the points that failures have left.
import { setTimeout as sleep } from 'node:timers/promises'
import { rateLimited } from '../../domain/failure.ts'
import type { Counter, Policy, RateLimitStatus } from '../../domain/rate-limiter.ts'
import { hasRoom, isUsedUp, usageAt, type AttemptCounters, type Failed, type Usage } from './attempt-counters.ts'
import { attemptQueues, type QueuedAttempt } from './attempt-queues.ts'

export type CountFailures = <Result>(
  counters: readonly Counter[],
  attempt: () => Promise<Result>,
  isFailure: (result: Result, counter: Counter) => boolean,
  report?: ReportStatuses,
) => Promise<Result>

/** An attempt that has begun, or had no room in one of its counters. `end` ends it in the counters where it began. */
type Begun = {
  hasBegun: boolean
  usages: readonly Usage[]
  end: (failed: Failed) => ReturnType<AttemptCounters['end']>
}

/** Begins an attempt in the counters that are available. */
export type BeginAttempt = (counters: readonly Counter[]) => Promise<Begun>

/** How often, and at most how many times, the counters are read again while attempts of other processes run */
const RETRY_MS = 50
const RETRIES_MAX = 60

/**
 * Makes `countFailures`. An attempt that finds every point reserved waits until another one ends, so that many users behind
 * one address, or one user with many tabs, are not rejected because of attempts that succeed.
 */
export function failureCounting(beginAttempt: BeginAttempt): CountFailures {
  const joinQueues = attemptQueues()

  return async (counters, attempt, isFailure, report = () => undefined) => {
    const queued = joinQueues(counters)
    try {
      const { usages, end } = await begin(counters, { beginAttempt, queued, report })
      queued.begin()
      report(toStatuses(counters, usages))
      let failed: Failed = []
      try {
        const result = await attempt()
        failed = counters.map((counter) => isFailure(result, counter))
        return result
      } finally {
        const after = await end(failed).finally(() => queued.end(failed))
        if (after && failed.includes(true)) report(toStatuses(counters, after))
      }
    } finally {
      queued.leave()
    }
  }
}

type Tools = { beginAttempt: BeginAttempt; queued: QueuedAttempt; report: ReportStatuses }

/** Resolves when every counter has a point for the attempt, and rejects as soon as one of them is used up. */
async function begin(counters: readonly Counter[], { beginAttempt, queued, report }: Tools): Promise<Begun> {
  for (let retries = 0; ;) {
    const endedBefore = queued.ended()
    const begun = await beginAttempt(counters)
    if (begun.hasBegun) return begun

    const { usages } = begun
    refuseUsedUp(counters, usages, report)
    if (queued.ended() > endedBefore) continue // an attempt ended while the counters were read
    const full = counters.findIndex((counter, at) => !hasRoom(counter, usageAt(usages, at)))
    if (queued.isBusy(full)) await queued.waitFor(full)
    else if (++retries < RETRIES_MAX) await sleep(RETRY_MS)
    else refuse(counters, usages, { at: full, resetSeconds: 1 }, report)
  }
}

/** Receives the statuses of all counters of a call: when it begins or is rejected, and again after a failure. */
export type ReportStatuses = (statuses: readonly RateLimitStatus[]) => void

/** @throws Failure 429 `rate_limited` for the counter that stays used up for longest, of those that are named first */
export function refuseUsedUp(counters: readonly Counter[], usages: readonly Usage[], report: ReportStatuses): void {
  const [longest] = counters
    .map((counter, at) => ({ at, counter, policy: counter.policy, ...usageAt(usages, at) }))
    .filter(({ counter, failures }) => isUsedUp(counter, { failures }))
    .sort((one, other) => rank(one.policy) - rank(other.policy) || other.resetSeconds - one.resetSeconds)
  if (longest) refuse(counters, usages, longest, report)
}

function rank({ isNamedLast }: Policy): number {
  return isNamedLast ? 1 : 0
}

function refuse(
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
