// Checks whether two kinds of requests can be distinguished by their response times.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type TimedRequest = { url: string; method: string; headers: Record<string, string>; body: string }
export type Timed = { ms: number; status: number }

export type Stopwatch = { time(request: TimedRequest): Promise<Timed>; close(): Promise<unknown> }

/** Opens a client that times one request at a time, like a remote client. */
export function stopwatch(): Stopwatch {
  const worker = new Worker(new URL('./stopwatch-worker.js', import.meta.url))
  return {
    async time(request) {
      worker.postMessage(request)
      return ((await once(worker, 'message')) as [Timed])[0]
    },
    close: () => worker.terminate(),
  }
}

/** Times of two requests in milliseconds; they are sent in random order */
export type Pair = readonly [one: number, other: number]

export type Verdict = {
  isDistinguishable: boolean
  /** The probability that a request of the second kind takes longer than one of the first: 0.5 if they are equal */
  auc: number
  pairs: number
}

/** The kinds are indistinguishable if the AUC differs from 0.5 by at most this. */
const BAND = 0.05
/** The AUC of few pairs varies randomly, so more pairs are sampled if it is outside the band. */
const LOOKS = [...(process.env['DATABASE_URL'] === undefined ? [75] : []), 150, 300, 600, 1200, 2400]
/** Random variation exceeds this number of standard errors about once in a billion times. */
const ERRORS_MAX = 6

/**
 * Samples pairs until it is clear whether their times differ. Kinds that do not differ are reported as distinguishable
 * about twice in a billion times: only if the AUC of all pairs is outside the band, or that of some is far outside.
 *
 * @param sample sends one request of each kind, in random order
 */
export async function compareTimes(sample: () => Pair | Promise<Pair>): Promise<Verdict> {
  const pairs: Pair[] = []
  let auc = 0.5
  for (const look of LOOKS) {
    while (pairs.length < look) pairs.push(await sample())
    auc = aucOf(pairs)
    const distance = Math.abs(auc - 0.5)
    if (distance <= BAND) return { isDistinguishable: false, auc, pairs: look }
    if (distance > BAND + ERRORS_MAX * standardErrorOf(look)) break
  }
  return { isDistinguishable: true, auc, pairs: pairs.length }
}

/** Returns the area under the ROC curve by the Mann-Whitney rank statistic. Equal times share their ranks. */
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

/** Returns the standard error of the AUC of a number of pairs, for kinds that do not differ. */
function standardErrorOf(pairs: number): number {
  return Math.sqrt((2 * pairs + 1) / 12) / pairs
}
