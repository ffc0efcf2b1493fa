import { rateLimited, type Counter, type Slate, type Standing } from '../domain/limit.ts'

/**
 * Runs `attempt`, and counts it against the counters unless it resolves to true. It is counted before it runs, so no
 * number of parallel attempts runs more often than it may fail.
 *
 * @throws Failure 429 `rate_limited` when a counter is used up
 */
export type CountFailures = (counters: readonly Counter[], slate: Slate, attempt: Attempt) => Promise<boolean>

type Attempt = () => Promise<boolean>

type Counted = Standing & { hadRoom: boolean }

type Counting = {
  count(counter: Counter): Promise<Counted>
  giveBack(counter: Counter): Promise<void>
}

/** The attempts of this process on one counter. */
type Attempts = { present: number; running: number; settled: number; waiting: (() => void)[] }

/**
 * Attempts that run stand against the counters as if they had failed. So that many people behind one address, or one
 * person with many tabs, are not refused because of attempts that turn out right, an attempt that finds no room waits
 * while others run on the same counter in this process: each of them may give its place back.
 */
export function countFailures({ count, giveBack }: Counting): CountFailures {
  const byCounter = new Map<string, Attempts>()

  /** Counts the attempt, once there is room or no hope of it. */
  const enter = async (counter: Counter, attempts: Attempts): Promise<Counted> => {
    for (;;) {
      const settledBefore = attempts.settled
      const counted = await count(counter)
      if (counted.hadRoom) {
        attempts.running++
        return counted
      }
      const mayBeFreeNow = attempts.settled > settledBefore
      if (mayBeFreeNow) continue
      if (attempts.running === 0) return counted
      await new Promise<void>((resolve) => attempts.waiting.push(resolve))
    }
  }
  const leave = async (counter: Counter, attempts: Attempts, isRefunded: boolean): Promise<void> => {
    if (isRefunded) await giveBack(counter).catch(() => undefined) // a counter that cannot be asked forgets by itself
    attempts.running--
    attempts.settled++
    const awakened = attempts.running === 0 ? attempts.waiting.length : isRefunded ? 1 : 0
    for (const goOn of attempts.waiting.splice(0, awakened)) goOn()
  }
  const runCounted = async (counter: Counter, attempts: Attempts, slate: Slate, inner: Attempt): Promise<boolean> => {
    const { hadRoom, ...standing } = await enter(counter, attempts)
    if (!hadRoom) {
      slate.push(standing)
      throw rateLimited(standing)
    }
    let isRefunded = true // what was not judged has not failed
    const place = slate.push(standing) - 1
    try {
      isRefunded = await inner()
      return isRefunded
    } finally {
      if (isRefunded) slate[place] = { ...standing, remaining: standing.remaining + 1 }
      await leave(counter, attempts, isRefunded)
    }
  }
  const within =
    (counter: Counter, slate: Slate, inner: Attempt): Attempt =>
    async () => {
      const id = `${counter.policy.name}:${counter.key}`
      const attempts = byCounter.get(id) ?? { present: 0, running: 0, settled: 0, waiting: [] }
      byCounter.set(id, attempts)
      attempts.present++
      try {
        return await runCounted(counter, attempts, slate, inner)
      } finally {
        attempts.present--
        if (attempts.present === 0) byCounter.delete(id)
      }
    }
  return (counters, slate, attempt) =>
    counters.reduceRight((inner, counter) => within(counter, slate, inner), attempt)()
}
