import { bulkhead } from 'cockatiel'
import { AsyncResource } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../domain/failure.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'

/** Runs work outside of a request, so that its response time reveals nothing about the work. */
export type Background = {
  /**
   * Starts work after a random delay, or queues it. A failure is logged.
   *
   * @throws Failure 503 `overloaded` if the queue is full
   */
  enqueue(task: string, work: () => Promise<void>): void
  /** Starts all delayed work at once. Resolves when all work is done, or after `msMax` milliseconds. */
  settle(msMax?: number): Promise<void>
}

const CONCURRENT_MAX = 8
const PENDING_MAX = 1000 + CONCURRENT_MAX
const SETTLE_MS_MAX = 3000
/** Upper bound of the random delay. Without it, the work would slow down the next response measurably. */
const DELAY_MS_MAX = 1000

export function createBackground(log: Log, metrics?: Metrics): Background {
  const queue = bulkhead(CONCURRENT_MAX, PENDING_MAX)
  const pending = new Set<Promise<void>>()
  const delayed = new Set<() => void>()
  metrics?.watch('tawthiq_background_tasks', () => [{ labels: {}, value: pending.size }])
  const randomDelay = (): Promise<void> =>
    new Promise((resolve) => {
      const start = (): void => {
        clearTimeout(timer)
        delayed.delete(start)
        resolve()
      }
      const timer = setTimeout(start, randomInt(DELAY_MS_MAX))
      delayed.add(start)
    })

  return {
    enqueue(task, work) {
      if (pending.size >= PENDING_MAX) throw new Failure('overloaded', { retryAfterSeconds: 5 })
      const inOwnTrace = AsyncResource.bind(work) // otherwise, it would run in the trace of the work that ended before it
      const done = randomDelay()
        .then(() => queue.execute(inOwnTrace))
        .catch((error: unknown) => {
          const isRateLimited = error instanceof Failure && error.code === 'rate_limited'
          log[isRateLimited ? 'info' : 'warn']({ err: error }, `${task} failed`)
        })
        .finally(() => pending.delete(done))
      pending.add(done)
    },
    async settle(msMax = SETTLE_MS_MAX) {
      const deadline = sleep(msMax, 'late', { ref: false })
      while (pending.size > 0) {
        for (const go of [...delayed]) go()
        if ((await Promise.race([Promise.all(pending), deadline])) === 'late') return
      }
    },
  }
}
