import { bulkhead } from 'cockatiel'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../domain/failure.ts'
import type { Log } from '../log.ts'

/** Work that nobody waits for, so that the time of an answer tells nothing about it. */
export type Background = {
  /**
   * Begins work, or puts it behind others. What fails stands in the log.
   *
   * @throws Failure 503 `overloaded` when too much waits
   */
  begin(what: string, work: () => Promise<void>): void
  /** Resolves when all of it is done, or a while has passed. */
  settle(msMax?: number): Promise<void>
}

const AT_ONCE_MAX = 8
const WAITING_MAX = 1000
const SETTLE_MS_MAX = 3000

export function background(log: Log): Background {
  const queue = bulkhead(AT_ONCE_MAX, WAITING_MAX)
  const running = new Set<Promise<void>>()
  return {
    begin(what, work) {
      if (queue.executionSlots + queue.queueSlots === 0) throw new Failure('overloaded', { retryAfterSeconds: 5 })
      const done = queue
        .execute(work)
        .catch((error: unknown) => {
          const isRefusal = error instanceof Failure && error.code === 'rate_limited'
          log[isRefusal ? 'info' : 'warn']({ err: error }, `${what} failed`)
        })
        .finally(() => running.delete(done))
      running.add(done)
    },
    async settle(msMax = SETTLE_MS_MAX) {
      const deadline = sleep(msMax, undefined, { ref: false })
      await Promise.race([Promise.all(running), deadline])
    },
  }
}
