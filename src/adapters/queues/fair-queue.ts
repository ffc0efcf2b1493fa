import { Failure } from '../../domain/failure.ts'
import type { Requester } from '../../domain/limits/policy.ts'
import { overloaded, waitingLines, type Item, type QueueLimits } from './waiting-lines.ts'

export type FairQueue = {
  /**
   * Runs work, or queues it until a worker is free.
   *
   * @throws Failure 503 `overloaded` if the queue is full or no worker is free in time, 400 `malformed_request` if the
   * client disconnects before the work starts, and whatever the work throws
   */
  run<Result>(requester: Requester, work: () => Promise<Result>): Promise<Result>
}

/**
 * Creates a queue that one owner cannot fill at the expense of the others. Each owner has a FIFO, and a free worker
 * takes the next item of the owner that has waited longest for one. Between two items of an owner, every other owner
 * gets at most one item per worker.
 *
 * An owner with `waitingPerOwnerMax` waiting items is rejected. If the whole queue is full, the owner with the most
 * waiting items loses its newest one to an owner with fewer, so a new owner gets in while any other owner has two.
 * An item that has waited for `waitMsMax` is rejected: its client would give up, and send the same work again.
 */
export function fairQueue(limits: QueueLimits): FairQueue {
  const { workers, waitMsMax } = limits
  const lines = waitingLines(limits)
  let running = 0

  const enqueue = ({ owner, abandoned }: Requester): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => lines.remove(owner, item)?.refuse(disconnected(abandoned))
      const expire = (): void => lines.remove(owner, item)?.refuse(overloaded(limits))
      const timer = waitMsMax === undefined ? undefined : setTimeout(expire, waitMsMax)
      const settle = (): void => {
        clearTimeout(timer)
        abandoned?.removeEventListener('abort', leave)
      }
      const item: Item = {
        start() {
          settle()
          running++ // now, before another item can take the worker
          resolve()
        },
        refuse(failure) {
          settle()
          reject(failure)
        },
      }
      abandoned?.addEventListener('abort', leave)
      lines.add(owner, item)
    })

  return {
    async run(requester, work) {
      const { owner, abandoned } = requester
      if (abandoned?.aborted) throw disconnected(abandoned)
      if (running < workers) running++
      else {
        lines.admit(owner)
        await enqueue(requester)
      }
      try {
        return await work()
      } finally {
        running--
        lines.moveToEnd(owner) // an owner that arrived meanwhile goes first
        if (running < workers) lines.takeNext()?.start()
      }
    },
  }
}

/** This failure only ends the request: its client has disconnected. */
function disconnected(abandoned: AbortSignal | undefined): Failure {
  return new Failure('malformed_request', { cause: abandoned?.reason })
}
