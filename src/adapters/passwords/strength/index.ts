import { LIMITS } from '../../../../generated/limits.ts'
import { Failure } from '../../../domain/failure.ts'
import type { Requester } from '../../../domain/requester.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import { observedQueue } from '../../queues/observed-queue.ts'
import { workerPool, type OpenPool } from '../../queues/worker-pool.ts'
import type { Task } from './worker.ts'

export type PasswordStrength = {
  /**
   * Returns whether a password is easy to guess from its patterns or from its owner's data.
   *
   * @param password normalised
   * @param words the owner's personal words, in lower case
   * @throws Failure 503 `overloaded` if the queue is full or the check takes too long, 400 `malformed_request` if the
   * client disconnected
   */
  isGuessable(password: string, words: readonly string[], requester: Requester): Promise<boolean>
  close(): Promise<void>
}

/**
 * About 32 million guesses. zxcvbn's scores have no such step: 10^8 (score 3) rejects random passwords of 8 characters,
 * and 10^6 (score 2) accepts `Welcome@123`.
 */
const ENOUGH_LOG10 = 7.5
/** Most checks take some hundredths of a second, and the slowest known one less than a second. */
const CHECK_MS_MAX = 4000
/** Idle threads end and free their dictionaries, which take a third of a second of CPU time to load. */
const IDLE_MS_MAX = 10_000
/** For the first check of a thread, which loads the dictionaries: on a busy machine, that takes seconds. */
const FIRST_CHECK_MS_MAX = 10_000
const THREADS = 1
const QUEUE = 'password_strength'
const WAITING = {
  waitingMax: LIMITS.queues.hashes,
  waitMsMax: FIRST_CHECK_MS_MAX, // those that wait for a slow first check are served after it
}

type Options = Partial<{
  timeoutMs: number
  firstTimeoutMs: number
  waitingPerOwnerMax: number
  metrics: Metrics | undefined
  openPool: OpenPool | undefined
}>

/** Runs zxcvbn in a worker thread that starts on demand and serves its callers in turn. */
export function zxcvbnStrength({
  timeoutMs = CHECK_MS_MAX,
  firstTimeoutMs = FIRST_CHECK_MS_MAX,
  waitingPerOwnerMax = LIMITS.queues.hashes_per_owner,
  metrics,
  openPool = workerPool,
}: Options = {}): PasswordStrength {
  const pool = openPool<Task, number>({
    filename: new URL('worker.js', import.meta.url).href,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS_MAX,
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
  })
  const queue = observedQueue({ ...WAITING, waitingPerOwnerMax, workers: THREADS }, QUEUE, metrics)
  const measure = async (task: Task): Promise<number> => {
    const signal = AbortSignal.timeout(pool.isIdle() ? firstTimeoutMs : timeoutMs) // ends the thread too
    return pool.run(task, { signal }).catch((cause: unknown) => {
      if (!signal.aborted) throw cause
      metrics?.count('tawthiq_queue_rejections_total', { queue: QUEUE })
      throw new Failure('overloaded', { retryAfterSeconds: LIMITS.queues.retry_seconds, cause })
    })
  }
  return {
    async isGuessable(password, words, requester) {
      const task = { password, words, enoughLog10: ENOUGH_LOG10 }
      return (await queue.run(requester, () => measure(task))) < ENOUGH_LOG10
    },
    close: () => pool.close(),
  }
}
