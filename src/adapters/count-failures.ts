import { setTimeout as sleep } from 'node:timers/promises'
import { rateLimited, type Counter, type Slate, type Standing } from '../domain/limit.ts'
import type { Counted } from './counters.ts'

/**
 * Runs `attempt`, and counts it against the counters unless it resolves to true. It takes a place before it runs, so no
 * number of parallel attempts runs more often than it may fail.
 *
 * @throws Failure 429 `rate_limited` when a counter is used up
 */
export type CountFailures = (counters: readonly Counter[], slate: Slate, attempt: Attempt) => Promise<boolean>

type Attempt = () => Promise<boolean>

type Counting = {
  /** Counts one. Where there was no room for it, it has been given back already. */
  count(counter: Counter): Promise<Counted>
  /** How a counter stands, which counts nothing. */
  read(counter: Counter): Promise<Standing>
}

/** The attempts of this process on one counter that have a place, and those that wait for one. */
type Attempts = { present: number; running: number; settled: number; waiting: (() => void)[] }

/** The place that an attempt has got, if it has, and how the failures stand */
type Entered = { place: Counted | undefined; failures: Standing }

/** A place that nobody gives back, because its process or Redis went away, is forgotten after this. */
const PLACE_SECONDS = 30
/** Attempts elsewhere are looked after so often, and for so long. */
const LOOK_AGAIN_MS = 50
const LOOKS_MAX = 60

/**
 * Failures and running attempts are counted apart: an attempt runs where both together leave it a place, and what runs
 * is not held against anybody for longer than it does. So that many people behind one address, or one person with many
 * tabs, are not refused because of attempts that turn out right, who finds no place waits while others run.
 */
export function countFailures({ count, read }: Counting): CountFailures {
  const byCounter = new Map<string, Attempts>()

  const leave = async (place: Counted, attempts: Attempts, wakesNext: boolean): Promise<void> => {
    await place.giveBack()
    attempts.running--
    const awakened = attempts.running === 0 ? attempts.waiting.length : wakesNext ? 1 : 0
    for (const goOn of attempts.waiting.splice(0, awakened)) goOn()
  }
  /** Takes a place, if failures and other attempts leave one; tells how the failures stand. */
  const takePlace = async (counter: Counter, attempts: Attempts): Promise<Entered> => {
    const place = await count(placesOf(counter))
    if (place.hadRoom) attempts.running++
    const failures = await read(counter)
    const failed = counter.policy.points - failures.remaining
    if (place.hadRoom && failed <= place.standing.remaining) return { place, failures }
    if (place.hadRoom) await leave(place, attempts, false)
    return { place: undefined, failures }
  }
  /** Waits for a place until there is one, or no hope of it. */
  const enter = async (counter: Counter, attempts: Attempts): Promise<Entered> => {
    for (let looks = 0; ;) {
      const settledBefore = attempts.settled
      const entered = await takePlace(counter, attempts)
      if (entered.place || entered.failures.remaining <= 0) return entered
      if (attempts.settled > settledBefore) continue
      if (attempts.running > 0) await new Promise<void>((resolve) => attempts.waiting.push(resolve))
      else if (++looks < LOOKS_MAX) await sleep(LOOK_AGAIN_MS)
      else return { ...entered, failures: { ...entered.failures, remaining: 0, resetSeconds: 1 } }
    }
  }
  const runCounted = async (counter: Counter, attempts: Attempts, slate: Slate, inner: Attempt): Promise<boolean> => {
    const { place, failures } = await enter(counter, attempts)
    const at = slate.push(failures) - 1
    if (!place) throw rateLimited(counter, failures)
    let hasFailed = false // what was not judged has not failed
    try {
      const isRight = await inner()
      hasFailed = !isRight
      return isRight
    } finally {
      if (hasFailed) slate[at] = (await count(counter)).standing
      attempts.settled++
      await leave(place, attempts, !hasFailed)
    }
  }
  const within =
    (counter: Counter, slate: Slate, inner: Attempt): Attempt =>
    async () => {
      const id = `${counter.policy.name}:${counter.key}`
      const attempts = byCounter.get(id) ?? { present: 0, running: 0, settled: 0, waiting: [] }
      byCounter.set(id, attempts)
      attempts.present++
      try {
        return await runCounted(counter, attempts, slate, inner)
      } finally {
        attempts.present--
        if (attempts.present === 0) byCounter.delete(id)
      }
    }
  return (counters, slate, attempt) =>
    counters.reduceRight((inner, counter) => within(counter, slate, inner), attempt)()
}

/** The counter of the attempts that run: as many as may fail. */
function placesOf({ policy: { name, points }, key }: Counter): Counter {
  return { policy: { name: `${name}-running`, points, seconds: PLACE_SECONDS }, key }
}
