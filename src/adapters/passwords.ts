import bcrypt from 'bcryptjs'
import { Piscina } from 'piscina'
import { LIMITS } from '../../generated/limits.ts'
import { bcryptPart } from '../domain/password.ts'
import type { Requester } from '../domain/requester.ts'
import type { Task } from './password-worker.ts'
import { comparable, hashable } from './pre-hash.ts'
import { fairQueue, type QueueLimits } from './queues/fair-queue.ts'

export type Passwords = {
  /**
   * Whether the password is the one of the hash. Without one, and with a cheaper one, a wrong password takes the same time.
   *
   * @throws Failure 503 `overloaded` when the queue is full, 400 `malformed_request` when the client has left
   */
  matches(password: string, hash: string | undefined, requester: Requester): Promise<boolean>
  /**
   * Of the password as it is compared.
   *
   * @throws Failure 503 `overloaded` when the queue is full, 400 `malformed_request` when the client has left
   */
  hash(password: string, requester: Requester): Promise<string>
  /** Whether the hash is cheaper to guess than one made now would be. */
  isOutdated(hash: string): boolean
  close(): Promise<void>
}

type Options = { cost: number; threads: number } & Partial<Pick<QueueLimits, 'waitingPerOwnerMax' | 'waitingMax'>>

const WAITING = {
  waitingPerOwnerMax: LIMITS.queues.hashes_per_owner,
  waitingMax: LIMITS.queues.hashes,
  retryAfterSeconds: LIMITS.queues.retry_seconds,
}

/** A thread that has nothing to do ends: memory is dearer than the tenth of a second that it takes to start one. */
const IDLE_MS_MAX = 10_000

/**
 * bcrypt in worker threads, which serve their callers in turn; `$2a$`, `$2b$` and PHP's `$2y$` verify. Passwords that it
 * would cut are hashed first, and their hashes are tagged.
 */
export function bcryptPasswords({ cost, threads, ...waiting }: Options): Passwords {
  const pool = new Piscina<Task, string | boolean>({
    filename: new URL('password-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS_MAX,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  })
  const queue = fairQueue({ ...WAITING, ...waiting, workers: threads })
  const run = (task: Task, requester: Requester): Promise<string | boolean> =>
    queue.run(requester, () => pool.run(task))
  const nobody = hashOfNobody(cost)

  return {
    async matches(password, stored, requester) {
      const text = comparable(password, stored ?? nobody)
      const hash = text === undefined ? nobody : bcryptPart(stored ?? nobody)
      const same = await run({ act: 'compare', lasting: cost, password: text ?? '', hash }, requester)
      return same === true && text !== undefined && stored !== undefined
    },
    async hash(password, requester) {
      const { text, tag } = hashable(password)
      return tag + String(await run({ act: 'hash', password: text, cost }, requester))
    },
    isOutdated: (stored) => bcrypt.getRounds(bcryptPart(stored)) < cost,
    close: () => pool.destroy(),
  }
}

/** A hash that no password has, and that takes as long to compare with as any other. */
function hashOfNobody(cost: number): string {
  return bcrypt.genSaltSync(cost) + '.'.repeat(31)
}
