// How long work waits for a busy thread before it is rejected.
import { mock } from 'node:test'
import t from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import { bcryptPasswords } from '../../../src/adapters/passwords/index.ts'
import type { WorkerPool } from '../../../src/adapters/queues/worker-pool.ts'

/** A pool whose tasks never end */
const blocked = <Task, Result>(): WorkerPool<Task, Result> => ({
  run: () => new Promise(() => undefined),
  isIdle: () => false,
  close: () => Promise.resolve(),
})

void t.test('rejects a password hash that cannot start within 4 seconds', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const passwords = bcryptPasswords({ cost: 4, threads: 1, openPool: blocked })
  let rejected = 0
  void passwords.hash('olive3kayak', { owner: 'busy' })
  const waiting = ['hash', 'compare'].map((action) => {
    const requester = { owner: action }
    const work = action === 'hash' ? passwords.hash('x', requester) : passwords.matches('x', undefined, requester)
    return work.catch((error: unknown) => {
      rejected++
      return error
    })
  })
  mock.timers.tick(3999)
  await new Promise(setImmediate)
  t.equal(rejected, 0)
  mock.timers.tick(1)
  const failure = { code: 'overloaded', retryAfterSeconds: LIMITS.queues.retry_seconds }
  t.match(await Promise.all(waiting), [failure, failure])
})
