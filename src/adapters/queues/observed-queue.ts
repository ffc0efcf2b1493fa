import { Failure } from '../../domain/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { FairQueue } from './fair-queue.ts'

/** Measures the length of a queue, and the time that work waits in it. Without metrics, returns the queue itself. */
export function observedQueue(queue: FairQueue, name: string, metrics: Metrics | undefined): FairQueue {
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
