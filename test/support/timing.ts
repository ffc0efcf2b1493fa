// Whether the time of an answer tells one kind of request from another.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type Asked = { url: string; method: string; headers: Record<string, string>; body: string }
export type Timed = { ms: number; status: number }

export type Stopwatch = { time(asked: Asked): Promise<Timed>; close(): Promise<unknown> }

/** Measures as somebody would who is elsewhere; one request at a time. */
export function stopwatch(): Stopwatch {
  const worker = new Worker(new URL('./stopwatch-worker.js', import.meta.url))
  return {
    async time(asked) {
      worker.postMessage(asked)
      return ((await once(worker, 'message')) as [Timed])[0]
    },
    close: () => worker.terminate(),
  }
}

/** Times, in milliseconds, of two requests that were sent in either order */
export type Pair = readonly [one: number, other: number]

export type Verdict = {
  isTold: boolean
  /** The probability that a request of the second kind takes longer than one of the first: 0.5 when time tells nothing */
  auc: number
  pairs: number
}

/** Time tells nothing when the AUC is within so much of a half. */
const BAND = 0.05
/** Of few pairs the AUC is a matter of chance: if it is outside the band, more are asked for. */
const LOOKS = [150, 300, 600, 1200, 2400]
/** Chance takes the AUC so many standard errors away from its true value once in a thousand million times. */
const ERRORS_MAX = 6

/**
 * Samples pairs until it is clear whether their times differ. For kinds that do not differ the verdict is wrong about
 * twice in a thousand million times: only an AUC outside the band of all pairs, or far outside of some, is held against them.
 *
 * @param sample sends one request of each kind, in random order
 */
export async function tellsApart(sample: () => Pair | Promise<Pair>): Promise<Verdict> {
  const pairs: Pair[] = []
  let auc = 0.5
  for (const look of LOOKS) {
    while (pairs.length < look) pairs.push(await sample())
    auc = aucOf(pairs)
    const distance = Math.abs(auc - 0.5)
    if (distance <= BAND) return { isTold: false, auc, pairs: look }
    if (distance > BAND + ERRORS_MAX * standardErrorOf(look)) break
  }
  return { isTold: true, auc, pairs: pairs.length }
}

/** The area under the ROC curve, by the rank statistic of Mann and Whitney; what is equal shares its ranks. */
export function aucOf(pairs: readonly Pair[]): number {
  const count = pairs.length
  const all = pairs
    .flatMap(([one, other]) => [
      { ms: one, isOther: false },
      { ms: other, isOther: true },
    ])
    .sort((a, b) => a.ms - b.ms)
  let rankSum = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]?.ms === all[from]?.ms) to++
    const rank = (from + 1 + to) / 2
    rankSum += rank * all.slice(from, to).filter(({ isOther }) => isOther).length
    from = to
  }
  return (rankSum - (count * (count + 1)) / 2) / count ** 2
}

/** Of the AUC of so many pairs of kinds that do not differ */
function standardErrorOf(pairs: number): number {
  return Math.sqrt((2 * pairs + 1) / 12) / pairs
}
