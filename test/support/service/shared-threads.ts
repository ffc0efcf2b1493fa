// Threads for the passwords of all services in a process of the suite. Starting one and loading its dictionaries takes
// half a second of CPU time.
import { workerPool, type WorkerPool, type WorkerPoolOptions } from '../../../src/adapters/queues/worker-pool.ts'
import { isSuite } from './suite.ts'

const pools = new Map<string, WorkerPool<never, unknown>>()

/** Returns the pool with these options. Closing it has no effect, because other services use it too. */
export function openSharedPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  if (!isSuite) return workerPool(options)
  const key = JSON.stringify(options)
  const pool = pools.get(key) ?? workerPool({ ...options, idleTimeout: Infinity })
  pools.set(key, pool)
  return { ...(pool as WorkerPool<Task, Result>), close: () => Promise.resolve() }
}
