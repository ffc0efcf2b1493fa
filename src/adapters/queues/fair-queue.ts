import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../../domain/failure.ts'
import type { Requester } from '../../domain/requester.ts'

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
      const expire = (): void => lines.remove(owner, item)?.refuse(overloaded())
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

export type QueueLimits = Readonly<{
  /** Items that run at the same time */
  workers: number
  /** Limits of the waiting items, for one owner and for all owners together */
  waitingPerOwnerMax: number
  waitingMax: number
  /** How long an item waits for a worker, in milliseconds; undefined without a limit */
  waitMsMax?: number
}>

type Item = Readonly<{ start: () => void; refuse: (failure: Failure) => void }>

/** The waiting items of all owners */
type WaitingLines = {
  /**
   * Makes room for an item of this owner.
   *
   * @throws Failure 503 `overloaded` when there is none
   */
  admit(owner: string): void
  add(owner: string, item: Item): void
  /** Removes an item that is still waiting; undefined if it is not. */
  remove(owner: string, item: Item | undefined): Item | undefined
  /** Removes the next item of the owner whose turn it is, and gives the others their turns first. */
  takeNext(): Item | undefined
  moveToEnd(owner: string): void
}

/** Creates the lines of a queue. They limit what waits, in one line and in all. */
function waitingLines({ waitingPerOwnerMax, waitingMax }: QueueLimits): WaitingLines {
  /** Owners with waiting items, in the order of their turns: a Map keeps the order of insertion. */
  const lines = new Map<string, Item[]>()
  let waiting = 0

  const remove: WaitingLines['remove'] = (owner, item) => {
    const line = lines.get(owner)
    const index = line && item ? line.indexOf(item) : -1
    if (!line || index < 0) return undefined
    line.splice(index, 1)
    waiting--
    if (line.length === 0) lines.delete(owner)
    return item
  }
  const moveToEnd = (owner: string): void => {
    const line = lines.get(owner)
    if (line && lines.delete(owner)) lines.set(owner, line)
  }
  return {
    admit(owner) {
      const own = lines.get(owner)?.length ?? 0
      if (own >= waitingPerOwnerMax) throw overloaded()
      if (waiting < waitingMax) return
      const [largest, line] = [...lines].reduce((most, each) => (each[1].length > most[1].length ? each : most))
      if (line.length < own + 2) throw overloaded() // else the two owners would displace each other in turn
      remove(largest, line.at(-1))?.refuse(overloaded())
    },
    add(owner, item) {
      const line = lines.get(owner)
      if (line) line.push(item)
      else lines.set(owner, [item])
      waiting++
    },
    remove,
    takeNext() {
      const [owner, line] = lines.entries().next().value ?? []
      if (owner === undefined) return undefined
      moveToEnd(owner)
      return remove(owner, line?.[0])
    },
    moveToEnd,
  }
}

function overloaded(): Failure {
  return new Failure('overloaded', { retryAfterSeconds: LIMITS.queues.retry_seconds })
}
