import type { Counter } from '../../domain/rate-limiter.ts'
import type { Failed } from './attempt-counters.ts'

/**
 * The attempts of this process on one counter. `present` includes the waiting ones; `ended` only ever grows, so an attempt
 * can tell whether another one ended while it was reading the counters.
 */
type Queue = { present: number; running: number; ended: number; waiting: (() => void)[] }

/** The queues of one attempt, one for each of its counters. */
export type QueuedAttempt = {
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
export function attemptQueues(): (counters: readonly Counter[]) => QueuedAttempt {
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
