import { LIMITS } from '../../../generated/limits.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { fairQueue, type FairQueue } from './fair-queue.ts'
import { observedQueue } from './observed-queue.ts'

const AT_ONCE_MAX = 2

/**
 * Creates the queue of administrators' reads. They can take long, so they never use all connections to the database,
 * except if there is only one.
 */
export function administratorReads(connections: number, metrics?: Metrics): FairQueue {
  const queue = fairQueue({
    workers: Math.max(1, Math.min(AT_ONCE_MAX, connections - 1)),
    waitingPerOwnerMax: LIMITS.queues.reads_per_administrator,
    waitingMax: LIMITS.queues.reads,
    waitMsMax: LIMITS.queues.read_wait_seconds * 1000,
    retryAfterSeconds: LIMITS.queues.retry_seconds,
  })
  return observedQueue(queue, 'administrator_reads', metrics)
}
