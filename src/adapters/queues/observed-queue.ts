import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../../domain/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { fairQueue, type FairQueue, type QueueLimits } from './fair-queue.ts'

/** Creates a fair queue, and measures its length and the time that work waits in it. */
export function observedQueue(limits: QueueLimits, name: string, metrics: Metrics | undefined): FairQueue {
  const queue = fairQueue(limits)
  if (!metrics) return queue
  const labels = { queue: name }
  const waited = metrics.duration('tawthiq_queue_wait_seconds', labels)
  let [waiting, running] = [0, 0]
  metrics.watch('tawthiq_queue_waiting', () => [{ labels, value: waiting }])
  metrics.watch('tawthiq_queue_running', () => [{ labels, value: running }])

  return {
    async run(requester, work) {
      const startMs = performance.now()
      let hasStarted = false
      waiting++
      const begin = async (): ReturnType<typeof work> => {
        hasStarted = true
        waiting--
        running++
        waited((performance.now() - startMs) / 1000)
        return work().finally(() => running--)
      }
      return queue.run(requester, begin).catch((error: unknown) => {
        if (!hasStarted) waiting--
        const isRejected = !hasStarted && error instanceof Failure && error.code === 'overloaded'
        if (isRejected) metrics.count('tawthiq_queue_rejections_total', labels)
        throw error
      })
    },
  }
}

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
