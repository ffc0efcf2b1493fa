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
import type { Counter, RateLimitStatus } from '../../domain/rate-limiter.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { hasRoom, isUsedUp, type AttemptCounters, type Failed, type Usage } from './attempt-counters.ts'

export type CountFailures = <Result>(
  counters: readonly Counter[],
  attempt: () => Promise<Result>,
  isFailure: (result: Result, counter: Counter) => boolean,
  report?: ReportStatuses,
) => Promise<Result>

/** An attempt that has begun if its counters had room for it. `end` ends it in the counters where it began. */
type Begun = { usages: readonly Usage[]; end: (failed: Failed) => ReturnType<AttemptCounters['end']> }

/** Begins an attempt in the counters that are available. */
export type BeginAttempt = (counters: readonly Counter[]) => Promise<Begun>

/** How often, and at most how many times, the counters are read again while attempts of other processes run */
const RETRY_MS = 50
const RETRIES_MAX = 60

/**
 * Makes `countFailures`. An attempt that finds every point reserved waits until another one ends, so that many users behind
 * one address, or one user with many tabs, are not rejected because of attempts that succeed.
 */
export function failureCounting(beginAttempt: BeginAttempt, metrics?: Metrics): CountFailures {
  const joinQueues = attemptQueues()

  return async (counters, attempt, isFailure, report = () => undefined) => {
    const queued = joinQueues(counters)
    try {
      const { usages, end } = await begin(counters, { beginAttempt, queued, report, metrics })
      queued.begin()
      report(toStatuses(usages))
      let failed: Failed = []
      try {
        const result = await attempt()
        failed = counters.map((counter) => isFailure(result, counter))
        return result
      } finally {
        const after = await end(failed).finally(() => queued.end(failed))
        if (after && failed.includes(true)) report(toStatuses(after))
      }
    } finally {
      queued.leave()
    }
  }
}

/** Reports the statuses of a rejection, and counts it by policy. */
export type Observing = { report: ReportStatuses; metrics: Metrics | undefined }
type Tools = Observing & { beginAttempt: BeginAttempt; queued: QueuedAttempt }

/** Resolves when every counter has a point for the attempt, and rejects as soon as one of them is used up. */
async function begin(counters: readonly Counter[], tools: Tools): Promise<Begun> {
  const { beginAttempt, queued } = tools
  for (let retries = 0; ;) {
    const endedBefore = queued.ended()
    const begun = await beginAttempt(counters)
    const { usages } = begun
    const full = usages.find((usage) => !hasRoom(usage))
    if (!full) return begun

    refuseUsedUp(usages, tools)
    if (queued.ended() > endedBefore) continue // an attempt ended while the counters were read
    const at = usages.indexOf(full)
    if (queued.isBusy(at)) await queued.waitFor(at)
    else if (++retries < RETRIES_MAX) await sleep(RETRY_MS)
    else refuse(usages, { ...full, resetSeconds: 1 }, tools)
  }
}

/** Receives the statuses of all counters of a call: when it begins or is rejected, and again after a failure. */
export type ReportStatuses = (statuses: readonly RateLimitStatus[]) => void

/** @throws Failure 429 `rate_limited` for the counter that stays used up for longest, of those that are named first */
export function refuseUsedUp(usages: readonly Usage[], observing: Observing): void {
  const [longest] = usages
    .filter(isUsedUp)
    .sort((one, other) => rank(one.counter) - rank(other.counter) || other.resetSeconds - one.resetSeconds)
  if (longest) refuse(usages, longest, observing)
}

function rank({ policy }: Counter): number {
  return policy.isNamedLast ? 1 : 0
}

function refuse(usages: readonly Usage[], { counter, resetSeconds }: Usage, { report, metrics }: Observing): never {
  report(toStatuses(usages))
  metrics?.count('tawthiq_rate_limit_refusals_total', { policy: counter.policy.name })
  throw rateLimited(counter, resetSeconds)
}

export function toStatuses(usages: readonly Usage[]): RateLimitStatus[] {
  return usages.map(({ counter: { policy }, failures, resetSeconds }) => {
    return { policy, remaining: Math.max(0, policy.points - failures), resetSeconds }
  })
}

/**
 * The attempts of this process on one counter. `present` includes the waiting ones; `ended` only ever grows, so an attempt
 * can tell whether another one ended while it was reading the counters.
 */
type Queue = { present: number; running: number; ended: number; waiting: (() => void)[] }

/** The queues of one attempt, one for each of its counters. */
type QueuedAttempt = {
  /** The number of attempts that have ended so far, over all counters */
  ended(): number
  /** Whether another attempt of this process runs on the counter at this index */
  isBusy(at: number): boolean
  /** Resolves when an attempt on the counter at this index has ended. */
  waitFor(at: number): Promise<void>
  begin(): void
  /** @param failed whether the attempt failed, for each counter; elsewhere, its point is free for another one */
  end(failed: Failed): void
  /** Leaves the queues, whether or not the attempt has begun. */
  leave(): void
}

/** Queues attempts by counter, and wakes up those that wait when another one ends. */
function attemptQueues(): (counters: readonly Counter[]) => QueuedAttempt {
  const queues = new Map<string, Queue>()

  const join = (id: string): Queue => {
    const queue = queues.get(id) ?? { present: 0, running: 0, ended: 0, waiting: [] }
    queue.present++
    queues.set(id, queue)
    return queue
  }
  return (counters) => {
    const ids = counters.map(({ policy, key }) => `${policy.name}:${key}`)
    const own = ids.map(join)
    return {
      ended: () => own.reduce((sum, { ended }) => sum + ended, 0),
      isBusy: (at) => (own[at]?.running ?? 0) > 0,
      waitFor: (at) => new Promise((resolve) => own[at]?.waiting.push(resolve)),
      begin() {
        for (const queue of own) queue.running++
      },
      end(failed) {
        for (const [at, queue] of own.entries()) wakeUp(queue, !failed[at])
      },
      leave() {
        for (const [at, queue] of own.entries()) if (--queue.present === 0) queues.delete(ids[at] ?? '')
      },
    }
  }
}

/** A free point is for one waiting attempt. When no attempt runs any more, all of them read the counters again. */
function wakeUp(queue: Queue, isPointFree: boolean): void {
  queue.running--
  queue.ended++
  const awakened = queue.running === 0 ? queue.waiting.length : isPointFree ? 1 : 0
  for (const proceed of queue.waiting.splice(0, awakened)) proceed()
}
