import { Piscina } from 'piscina'
import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../../domain/failure.ts'
import type { Requester } from '../../domain/requester.ts'
import { fairQueue, type QueueLimits } from '../queues/fair-queue.ts'
import type { Task } from './worker.ts'

export type PasswordStrength = {
  /**
   * Returns whether an attacker guesses the password, by its patterns or by what is known of its owner.
   *
   * @param password normalised
   * @param words of the owner, in lower case
   * @throws Failure 503 `overloaded` when the queue is full or the check takes too long, 400 `malformed_request` when the
   * client has left
   */
  isGuessable(password: string, words: readonly string[], requester: Requester): Promise<boolean>
  close(): Promise<void>
}

/**
 * About 32 million. The score of zxcvbn has no step there: 10^8 (score 3) refuses random passwords of 8 characters, and
 * 10^6 (score 2) accepts `Welcome@123`.
 */
const ENOUGH_LOG10 = 7.5
/** Most checks take some hundredths of a second, the slowest known one less than a second. */
const CHECK_MS_MAX = 10_000
/** A thread that has nothing to do ends, and frees its dictionaries; loading them takes a third of a second. */
const IDLE_MS_MAX = 10_000
const THREADS = 1

type Options = Partial<Pick<QueueLimits, 'waitingPerOwnerMax' | 'waitingMax'> & { timeoutMs: number; idleMs: number }>

/** zxcvbn in a worker thread that starts on demand and serves its callers in turn. */
export function zxcvbnStrength({
  timeoutMs = CHECK_MS_MAX,
  idleMs = IDLE_MS_MAX,
  ...waiting
}: Options = {}): PasswordStrength {
  const pool = new Piscina<Task, number>({
    filename: new URL('worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: idleMs,
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
  })
  const queue = fairQueue({
    waitingPerOwnerMax: LIMITS.queues.hashes_per_owner,
    waitingMax: LIMITS.queues.hashes,
    retryAfterSeconds: LIMITS.queues.retry_seconds,
    workers: THREADS,
    ...waiting,
  })
  const judge = async (task: Task): Promise<number> => {
    const signal = AbortSignal.timeout(timeoutMs) // ends the thread too
    return pool.run(task, { signal }).catch((cause: unknown) => {
      if (!signal.aborted) throw cause
      throw new Failure('overloaded', { retryAfterSeconds: LIMITS.queues.retry_seconds, cause })
    })
  }
  return {
    async isGuessable(password, words, requester) {
      const task = { password, words, enoughLog10: ENOUGH_LOG10 }
      return (await queue.run(requester, () => judge(task))) < ENOUGH_LOG10
    },
    close: () => pool.destroy(),
  }
}
