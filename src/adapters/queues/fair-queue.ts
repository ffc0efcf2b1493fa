import { Failure } from '../../domain/failure.ts'
import type { Requester } from '../../domain/requester.ts'

export type FairQueue = {
  /**
   * Runs work, or queues it until a worker is free.
   *
   * @throws Failure 503 `overloaded` if the queue is full, 400 `malformed_request` if the client disconnects before the
   * work starts, and whatever the work throws
   */
  run<Result>(requester: Requester, work: () => Promise<Result>): Promise<Result>
}

export type QueueLimits = Readonly<{
  /** Items that run at the same time */
  workers: number
  /** Items that wait: of one owner, and of all owners together */
  waitingPerOwnerMax: number
  waitingMax: number
  retryAfterSeconds: number
}>

type Item = Readonly<{ start: () => void; refuse: (failure: Failure) => void }>

/**
 * A queue that one owner cannot fill at the expense of the others. Each owner has a FIFO of its own, and a free worker
 * takes the next item of the owner that has gone longest without one. Between two items of an owner, every other owner
 * gets at most one item per worker.
 *
 * An owner with `waitingPerOwnerMax` waiting items is refused. When the whole queue is full, the owner with the most
 * waiting items loses its newest one to an owner with fewer, so a newcomer gets in while anyone else has two.
 */
export function fairQueue({ workers, waitingPerOwnerMax, waitingMax, retryAfterSeconds }: QueueLimits): FairQueue {
  /** Owners with waiting items, in the order of their turns: a Map keeps the order of insertion. */
  const lines = new Map<string, Item[]>()
  let running = 0
  let waiting = 0

  const overloaded = (): Failure => new Failure('overloaded', { retryAfterSeconds })
  const remove = (owner: string, item: Item | undefined): Item | undefined => {
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
  /** Makes room for an item of this owner. */
  const admit = (owner: string): void => {
    const own = lines.get(owner)?.length ?? 0
    if (own >= waitingPerOwnerMax) throw overloaded()
    if (waiting < waitingMax) return
    const [largest, line] = [...lines].reduce((most, each) => (each[1].length > most[1].length ? each : most))
    if (line.length < own + 2) throw overloaded() // else the two owners would displace each other in turn
    remove(largest, line.at(-1))?.refuse(overloaded())
  }
  const next = (): void => {
    const [owner, line] = lines.entries().next().value ?? []
    if (owner === undefined || running >= workers) return
    moveToEnd(owner)
    remove(owner, line?.[0])?.start()
  }
  const enqueue = ({ owner, abandoned }: Requester): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => remove(owner, item)?.refuse(disconnected(abandoned))
      const settle = (): void => abandoned?.removeEventListener('abort', leave)
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
      lines
        .set(owner, lines.get(owner) ?? [])
        .get(owner)
        ?.push(item)
      waiting++
    })

  return {
    async run(requester, work) {
      const { owner, abandoned } = requester
      if (abandoned?.aborted) throw disconnected(abandoned)
      if (running < workers) running++
      else {
        admit(owner)
        await enqueue(requester)
      }
      try {
        return await work()
      } finally {
        running--
        moveToEnd(owner) // a newcomer that arrived meanwhile goes first
        next()
      }
    },
  }
}

/** Nobody reads this failure: it only ends the request. */
function disconnected(abandoned: AbortSignal | undefined): Failure {
  return new Failure('malformed_request', { cause: abandoned?.reason })
}
