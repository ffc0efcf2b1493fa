import bcrypt from 'bcryptjs'
import { Piscina } from 'piscina'
import { Failure } from '../domain/failure.ts'
import { hashablePassword } from '../domain/password.ts'
import type { Task } from './password-worker.ts'

export type Passwords = {
  /**
   * Whether the password is the one of the hash. Without one, and with a cheaper one, a wrong password takes the same time.
   *
   * @throws Failure 503 `overloaded` when the queue is full
   */
  matches(password: string, hash: string | undefined): Promise<boolean>
  /**
   * Of the password as it is compared.
   *
   * @throws Failure 503 `overloaded` when the queue is full
   */
  hash(password: string): Promise<string>
  /** Whether the hash is cheaper to guess than one made now would be. */
  isOutdated(hash: string): boolean
  close(): Promise<void>
}

type Options = { cost: number; threads: number; queueMax: number }

/** A thread that has nothing to do ends: memory is dearer than the tenth of a second that it takes to start one. */
const IDLE_MS_MAX = 10_000

/** bcrypt in worker threads; `$2a$`, `$2b$` and PHP's `$2y$` verify. */
export function bcryptPasswords({ cost, threads, queueMax }: Options): Passwords {
  const pool = new Piscina<Task, string | boolean>({
    filename: new URL('password-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    maxQueue: queueMax,
    idleTimeout: IDLE_MS_MAX,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  })
  const run = (task: Task): Promise<string | boolean> =>
    pool.run(task).catch((error: unknown) => {
      throw pool.queueSize >= queueMax ? new Failure('overloaded', { retryAfterSeconds: 5, cause: error }) : error
    })
  const nobody = hashOfNobody(cost)

  return {
    async matches(password, stored) {
      const hashable = hashablePassword(password)
      const same = await run({
        act: 'compare',
        lasting: cost,
        password: hashable ?? '',
        hash: hashable === undefined ? nobody : (stored ?? nobody),
      })
      return same === true && hashable !== undefined && stored !== undefined
    },
    async hash(password) {
      const hashable = hashablePassword(password)
      if (hashable === undefined) throw new Error('a password that is too long was not refused')
      return String(await run({ act: 'hash', password: hashable, cost }))
    },
    isOutdated: (stored) => bcrypt.getRounds(stored) < cost,
    close: () => pool.destroy(),
  }
}

/** A hash that no password has, and that takes as long to compare with as any other. */
function hashOfNobody(cost: number): string {
  return bcrypt.genSaltSync(cost) + '.'.repeat(31)
}
