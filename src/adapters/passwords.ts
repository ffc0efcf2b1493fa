import bcrypt from 'bcryptjs'
import { Piscina } from 'piscina'
import { Failure } from '../domain/failure.ts'
import { hashablePassword } from '../domain/password.ts'
import type { Task } from './password-worker.ts'

export type Passwords = {
  /**
   * Whether the password is the one of the hash. Without a hash it takes the same time and is false.
   *
   * @throws Failure 503 `overloaded` when the queue is full
   */
  matches(password: string, hash: string | undefined): Promise<boolean>
  hash(password: string): Promise<string>
  /** Whether the hash is cheaper to guess than one made now would be. */
  isOutdated(hash: string): boolean
  close(): Promise<void>
}

type Options = { cost: number; threads: number; queueMax: number }

/** bcrypt in worker threads; `$2a$`, `$2b$` and PHP's `$2y$` verify. */
export async function bcryptPasswords({ cost, threads, queueMax }: Options): Promise<Passwords> {
  const pool = new Piscina<Task, string | boolean>({
    filename: new URL('password-worker.js', import.meta.url).href,
    minThreads: 1,
    maxThreads: threads,
    maxQueue: queueMax,
    idleTimeout: 30_000,
  })
  const run = (task: Task): Promise<string | boolean> =>
    pool.run(task).catch((error: unknown) => {
      throw pool.queueSize >= queueMax ? new Failure('overloaded', { retryAfterSeconds: 5, cause: error }) : error
    })
  const hash = async (password: string): Promise<string> => String(await run({ act: 'hash', password, cost }))
  const nobody = await hash('')

  return {
    async matches(password, stored) {
      const hashable = hashablePassword(password)
      const same = await run({
        act: 'compare',
        password: hashable ?? '',
        hash: hashable === undefined ? nobody : (stored ?? nobody),
      })
      return same === true && hashable !== undefined && stored !== undefined
    },
    hash,
    isOutdated: (stored) => bcrypt.getRounds(stored) < cost,
    close: () => pool.destroy(),
  }
}
