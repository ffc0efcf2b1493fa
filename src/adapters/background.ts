import { bulkhead } from 'cockatiel'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../domain/failure.ts'
import type { Log } from '../log.ts'

/** Work that nobody waits for, so that the time of an answer tells nothing about it. */
export type Background = {
  /**
   * Begins work a moment later, or puts it behind others. What fails stands in the log.
   *
   * @throws Failure 503 `overloaded` when too much waits
   */
  begin(what: string, work: () => Promise<void>): void
  /** Begins what has not begun; resolves when all of it is done, or a while has passed. */
  settle(msMax?: number): Promise<void>
}

const AT_ONCE_MAX = 8
const PRESENT_MAX = 1000 + AT_ONCE_MAX
const SETTLE_MS_MAX = 3000
/** Work begins within so long, nobody knows when: else the answer that comes next would tell by its time how much it was. */
const DELAY_MS_MAX = 1000

export function background(log: Log): Background {
  const queue = bulkhead(AT_ONCE_MAX, PRESENT_MAX)
  const present = new Set<Promise<void>>()
  const delayed = new Set<() => void>()
  const moment = (): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer)
        delayed.delete(go)
        resolve()
      }
      const timer = setTimeout(go, randomInt(DELAY_MS_MAX))
      delayed.add(go)
    })

  return {
    begin(what, work) {
      if (present.size >= PRESENT_MAX) throw new Failure('overloaded', { retryAfterSeconds: 5 })
      const done = moment()
        .then(() => queue.execute(work))
        .catch((error: unknown) => {
          const isRefusal = error instanceof Failure && error.code === 'rate_limited'
          log[isRefusal ? 'info' : 'warn']({ err: error }, `${what} failed`)
        })
        .finally(() => present.delete(done))
      present.add(done)
    },
    async settle(msMax = SETTLE_MS_MAX) {
      for (const go of [...delayed]) go()
      const deadline = sleep(msMax, undefined, { ref: false })
      await Promise.race([Promise.all(present), deadline])
    },
  }
}
