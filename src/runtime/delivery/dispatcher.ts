import { AsyncResource } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstFailureLog, type Log } from '../../lib/log.ts'

/** A table whose rows are leased to one process at a time. */
type LeasedQueue<Due> = {
  takeDue(limit: number): Promise<Due[]>
  /** Renews the leases of rows that are being delivered. */
  renewLeases(running: readonly Due[]): Promise<void>
  /** Releases a row whose attempt was not made. */
  giveBack(due: Due): Promise<void>
}

export type Dispatcher = {
  /** Delivers what has become due at once, or within 100 ms of the last call. */
  wake(): void
  /** Delivers what is due. Resolves when nothing is being delivered, or at once if another call waits for that. */
  settle(): Promise<void>
  /** Takes nothing more, and ends running deliveries. */
  stop(): Promise<void>
}

type Options<Due> = {
  /** What is delivered, as in `an event delivery` and `due events` */
  names: { delivery: string; due: string }
  inFlightMax: number
  pollMs: number
  renewMs?: number
  settleMsMax: number
  /** Delivers one row and stores the outcome. `isCutOff` returns true if a failure comes from the shutdown. */
  deliver(due: Due, isCutOff: () => boolean): Promise<void>
  /** Closes the connections of running deliveries, which then fail. */
  cutOff(): Promise<void> | void
  log: Log
}

/** Some renewals can fail before a lease ends. */
const RENEW_MS = 5000
/** Many changes in a short time cost one claim. */
const WAKE_MS = 100

/**
 * Delivers due rows, a few at a time, until it is stopped. Every instance does so, with different rows. An instance that
 * stops releases its unfinished rows, and rows of a killed instance become due again after their lease, which a running one
 * renews. Rows are therefore delivered at least once.
 */
export function startDispatcher<Due>(queue: LeasedQueue<Due>, options: Options<Due>): Dispatcher {
  const state = { isStopped: false, isCutOff: false }
  const work = createWork(queue, options, state)
  const poll = AsyncResource.bind(work.poll) // the trace of a request that wakes it has no deliveries of others
  const timer = setInterval(poll, options.pollMs).unref()
  const renewals = setInterval(() => void work.renew(), options.renewMs ?? RENEW_MS).unref()

  const stop = async (): Promise<void> => {
    state.isStopped = true
    clearInterval(timer)
    await Promise.race([work.finish(), sleep(options.settleMsMax, undefined, { ref: false })])
    state.isCutOff = true
    await options.cutOff()
    await work.finish()
    clearInterval(renewals)
  }
  let stopping: Promise<void> | undefined
  let isSettling = false
  return {
    wake: atMostEvery(WAKE_MS, poll),
    async settle() {
      poll()
      if (isSettling) return
      isSettling = true
      await work.finish()
      isSettling = false
    },
    stop: () => (stopping ??= stop()),
  }
}

type State = Readonly<{ isStopped: boolean; isCutOff: boolean }>

/** Claims rows and delivers them. `finish` resolves when nothing is being claimed or delivered. */
function createWork<Due>(
  queue: LeasedQueue<Due>,
  { names, inFlightMax, deliver, log }: Options<Due>,
  state: State,
): { poll(): void; renew(): Promise<void>; finish(): Promise<void> } {
  const running = new Map<Promise<void>, Due>()
  let polling: Promise<void> | undefined
  let isWanted = false
  const tryToRead = firstFailureLog(log, `${names.due} could not be read from the database`)

  const start = (due: Due, isMore: boolean): void => {
    const work = (state.isStopped ? queue.giveBack(due) : deliver(due, () => state.isCutOff))
      .catch((error: unknown) => log.warn({ err: error }, `result of ${names.delivery} could not be stored`))
      .finally(() => {
        running.delete(work)
        if (isMore) poll()
      })
    running.set(work, due)
  }
  const claim = (free: number): Promise<void> =>
    tryToRead(async () => {
      const taken = await queue.takeDue(free)
      for (const due of taken) start(due, taken.length === free)
    })
  const poll = (): void => {
    const free = inFlightMax - running.size
    if (state.isStopped || free === 0) return
    isWanted = polling !== undefined // what was stored since the claim began is claimed after it
    polling ??= claim(free).finally(() => {
      polling = undefined
      if (isWanted) poll()
    })
  }
  return {
    poll,
    async renew() {
      if (running.size === 0) return
      await queue.renewLeases([...running.values()]).catch((error: unknown) => {
        log.warn({ err: error }, `leases of ${names.due} could not be renewed`)
      })
    },
    async finish() {
      while (polling || running.size > 0) await Promise.race([...running.keys(), ...(polling ? [polling] : [])])
    },
  }
}

/** Returns a function that calls another one at once, or at the end of the interval since its last call. */
function atMostEvery(ms: number, call: () => void): () => void {
  let waiting: NodeJS.Timeout | undefined
  let isWanted = false
  const wake = (): void => {
    isWanted = waiting !== undefined
    if (waiting) return
    call()
    waiting = setTimeout(() => {
      waiting = undefined
      if (isWanted) wake()
    }, ms).unref()
  }
  return wake
}
