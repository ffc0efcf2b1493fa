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

  const leave = async (place: Counted | undefined, attempts: Attempts, wakesNext: boolean): Promise<void> => {
    await place?.giveBack()
    attempts.running--
    const awakened = attempts.running === 0 ? attempts.waiting.length : wakesNext ? 1 : 0
    for (const goOn of attempts.waiting.splice(0, awakened)) goOn()
  }
  /** Takes a place, if failures and other attempts leave one; tells how the failures stand. */
  const takePlace = async (counter: Counter, attempts: Attempts): Promise<Entered> => {
    const place = await count(placesOf(counter))
    if (!place.hadRoom) return { place: undefined, failures: await read(counter) }
    attempts.running++
    let isLeft = false
    try {
      const failures = await read(counter)
      isLeft = counter.policy.points - failures.remaining <= place.standing.remaining
      return { place: isLeft ? place : undefined, failures }
    } finally {
      if (!isLeft) await leave(place, attempts, false)
    }
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
    let isRight: boolean | undefined // what was not judged has not failed
    try {
      isRight = await inner()
      return isRight
    } finally {
      const hasFailed = isRight === false
      const counted = hasFailed ? await count(counter).catch(() => undefined) : undefined
      if (counted) slate[at] = counted.standing
      attempts.settled++
      // A failure that cannot be counted keeps its place, which fades.
      await leave(hasFailed && !counted ? undefined : place, attempts, !hasFailed)
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
export function placesOf({ policy, key }: Counter): Counter {
  return { policy: { ...policy, name: `${policy.name}-running`, seconds: PLACE_SECONDS }, key }
}
