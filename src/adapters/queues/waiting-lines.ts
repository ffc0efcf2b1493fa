import { Failure } from '../../domain/failure.ts'

export type QueueLimits = Readonly<{
  /** Items that run at the same time */
  workers: number
  /** Limits of the waiting items, for one owner and for all owners together */
  waitingPerOwnerMax: number
  waitingMax: number
  /** How long an item waits for a worker, in milliseconds; undefined without a limit */
  waitMsMax?: number
  retryAfterSeconds: number
}>

/** Work that waits for a worker */
export type Item = Readonly<{ start: () => void; refuse: (failure: Failure) => void }>

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
export function waitingLines(limits: QueueLimits): WaitingLines {
  const { waitingPerOwnerMax, waitingMax } = limits
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
      if (own >= waitingPerOwnerMax) throw overloaded(limits)
      if (waiting < waitingMax) return
      const [largest, line] = [...lines].reduce((most, each) => (each[1].length > most[1].length ? each : most))
      if (line.length < own + 2) throw overloaded(limits) // else the two owners would displace each other in turn
      remove(largest, line.at(-1))?.refuse(overloaded(limits))
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

export function overloaded({ retryAfterSeconds }: QueueLimits): Failure {
  return new Failure('overloaded', { retryAfterSeconds })
}
