import { LIMITS } from '../../../generated/limits.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { FairQueue } from './fair-queue.ts'
import { observedQueue } from './observed-queue.ts'

/**
 * Creates the queue of administrators' reads. One runs at a time: a search takes a processor of the database, and with two of
 * them other requests wait three times as long, see "Many accounts" in docs/performance.md.
 */
export function administratorReads(metrics?: Metrics): FairQueue {
  const limits = {
    workers: 1,
    waitingPerOwnerMax: LIMITS.queues.reads_per_administrator,
    waitingMax: LIMITS.queues.reads,
    waitMsMax: LIMITS.queues.read_wait_seconds * 1000,
  }
  return observedQueue(limits, 'administrator_reads', metrics)
}
