import bcrypt from 'bcryptjs'
import { LIMITS } from '../../../generated/limits.ts'
import { extractBcryptHash } from '../../domain/passwords/password.ts'
import type { Requester } from '../../domain/requester.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Task } from './worker.ts'
import { toCompareInput, toHashInput } from './pre-hash.ts'
import { observedQueue } from '../queues/observed-queue.ts'
import { workerPool, type OpenPool } from '../queues/worker-pool.ts'

export type Passwords = {
  /**
   * Returns whether a password matches a hash. A wrong password takes the same time without a hash and with a cheaper
   * one.
   *
   * @throws Failure 503 `overloaded` if the queue is full or slow, 400 `malformed_request` if the client disconnected
   */
  matches(password: string, hash: string | undefined, requester: Requester): Promise<boolean>
  /** @throws the same failures */
  hash(password: string, requester: Requester): Promise<string>
  /** Returns whether a hash has a lower cost than the configured one. */
  needsRehash(hash: string): boolean
  close(): Promise<void>
}

type Options = {
  cost: number
  threads: number
  metrics?: Metrics | undefined
  openPool?: OpenPool | undefined
}

const WAITING = {
  waitingPerOwnerMax: LIMITS.queues.hashes_per_owner,
  waitingMax: LIMITS.queues.hashes,
  waitMsMax: LIMITS.queues.hash_wait_seconds * 1000,
}

/** Idle threads end, because their memory costs more than the 0.1 s that it takes to start one. */
const IDLE_MS_MAX = 10_000

/**
 * Hashes with bcrypt in worker threads, which serve their callers in turn. `$2a$`, `$2b$` and PHP's `$2y$` verify.
 * Passwords longer than bcrypt's limit are hashed first, and their hashes are tagged.
 */
export function bcryptPasswords({ cost, threads, metrics, openPool = workerPool }: Options): Passwords {
  const pool = openPool<Task, string | boolean>({
    filename: new URL('worker.js', import.meta.url).href,
    maxThreads: threads,
    idleTimeout: IDLE_MS_MAX,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  })
  const queue = observedQueue({ ...WAITING, workers: threads }, 'password_hash', metrics)
  const run = (task: Task, requester: Requester): Promise<string | boolean> =>
    queue.run(requester, () => pool.run(task))
  /** No password matches it, and comparing it takes as long as any other hash. */
  const dummyHash = bcrypt.genSaltSync(cost) + '.'.repeat(31)

  return {
    async matches(password, stored, requester) {
      const text = toCompareInput(password, stored ?? dummyHash)
      const hash = text === undefined ? dummyHash : extractBcryptHash(stored ?? dummyHash)
      const isMatch = await run({ action: 'compare', minCost: cost, password: text ?? '', hash }, requester)
      return isMatch === true && text !== undefined && stored !== undefined
    },
    async hash(password, requester) {
      const { text, tag } = toHashInput(password)
      return tag + String(await run({ action: 'hash', password: text, cost }, requester))
    },
    needsRehash: (stored) => bcrypt.getRounds(extractBcryptHash(stored)) < cost,
    close: () => pool.close(),
  }
}
