import { setTimeout as sleep } from 'node:timers/promises'
import { rateLimited, type Counter, type Slate, type Standing } from '../domain/limit.ts'
import { hasRoom, type AttemptCounters, type Tally } from './attempt-counters.ts'

/**
 * Runs `attempt`, and counts it against the counters unless it resolves to true. It takes a place in all of them before it
 * runs, so no number of parallel attempts runs more often than it may fail.
 *
 * @throws Failure 429 `rate_limited` when a counter is used up
 */
export type CountFailures = (counters: readonly Counter[], slate: Slate, attempt: Attempt) => Promise<boolean>

type Attempt = () => Promise<boolean>

/** Chooses the counters that can be asked, for one attempt from its beginning to its end. */
export type ChooseCounters = (counters: readonly Counter[]) => Promise<{
  hasBegun: boolean
  tallies: readonly Tally[]
  end: (hasFailed: boolean) => ReturnType<AttemptCounters['end']>
}>

/** The attempts of this process on one counter that run, and those that wait for one of them to end. */
type Attempts = { present: number; running: number; ended: number; waiting: (() => void)[] }

/** Attempts elsewhere are looked after so often, and for so long. */
const LOOK_AGAIN_MS = 50
const LOOKS_MAX = 60

/**
 * Failures and running attempts are counted apart: an attempt runs where both together leave it a place, and what runs
 * is not held against anybody for longer than it does. So that many people behind one address, or one person with many
 * tabs, are not refused because of attempts that turn out right, who finds no place waits while others run.
 */
export function countFailures(choose: ChooseCounters): CountFailures {
  const byCounter = new Map<string, Attempts>()

  /** Begins when there is a place in all counters, unless one of them is used up. */
  const begin = async (
    counters: readonly Counter[],
    all: readonly Attempts[],
    slate: Slate,
  ): ReturnType<ChooseCounters> => {
    for (let looks = 0; ;) {
      const endedBefore = endedOf(all)
      const begun = await choose(counters)
      if (begun.hasBegun) return begun
      const usedUp = mostUsedUp(counters, begun.tallies)
      if (usedUp) return refuse(usedUp, begun.tallies, counters, slate)
      if (endedOf(all) > endedBefore) continue
      const full = counters.findIndex((counter, at) => !hasRoom(counter, tallyAt(begun.tallies, at)))
      const busy = all[full]
      if (busy && busy.running > 0) await new Promise<void>((resolve) => busy.waiting.push(resolve))
      else if (++looks < LOOKS_MAX) await sleep(LOOK_AGAIN_MS)
      else return refuse({ at: full, resetSeconds: 1 }, begun.tallies, counters, slate)
    }
  }
  const run = async (
    counters: readonly Counter[],
    all: readonly Attempts[],
    slate: Slate,
    attempt: Attempt,
  ): Promise<boolean> => {
    const { tallies, end } = await begin(counters, all, slate)
    for (const each of all) each.running++
    const from = note(slate, counters, tallies)
    let isRight: boolean | undefined // what was not judged has not failed
    try {
      isRight = await attempt()
      return isRight
    } finally {
      const after = await end(isRight === false)
      if (after && isRight === false) note(slate, counters, after, from)
      for (const each of all) leave(each, isRight !== false)
    }
  }
  return async (counters, slate, attempt) => {
    const ids = counters.map(({ policy, key }) => `${policy.name}:${key}`)
    const all = ids.map((id) => byCounter.get(id) ?? { present: 0, running: 0, ended: 0, waiting: [] })
    for (const [at, each] of all.entries()) {
      each.present++
      byCounter.set(ids[at] ?? '', each)
    }
    try {
      return await run(counters, all, slate, attempt)
    } finally {
      for (const [at, each] of all.entries()) if (--each.present === 0) byCounter.delete(ids[at] ?? '')
    }
  }
}

/** A place that is free again is for one of those who wait; when nothing runs any more, all of them look for themselves. */
function leave(attempts: Attempts, isPlaceFree: boolean): void {
  attempts.running--
  attempts.ended++
  const awakened = attempts.running === 0 ? attempts.waiting.length : isPlaceFree ? 1 : 0
  for (const goOn of attempts.waiting.splice(0, awakened)) goOn()
}

function endedOf(all: readonly Attempts[]): number {
  return all.reduce((sum, { ended }) => sum + ended, 0)
}

/** Of the counters that are used up, the one that stays so for longest */
function mostUsedUp(counters: readonly Counter[], tallies: readonly Tally[]): Refused | undefined {
  return counters
    .map(({ policy }, at) => ({ at, policy, ...tallyAt(tallies, at) }))
    .filter(({ policy, failures }) => failures >= policy.points)
    .sort((one, other) => other.resetSeconds - one.resetSeconds)[0]
}

type Refused = { at: number; resetSeconds: number }

function refuse(
  { at, resetSeconds }: Refused,
  tallies: readonly Tally[],
  counters: readonly Counter[],
  slate: Slate,
): never {
  note(slate, counters, tallies)
  const counter = counters[at]
  if (!counter) throw new Error('an attempt without a full counter was refused')
  throw rateLimited(counter, { ...standingOf(counter, tallyAt(tallies, at)), remaining: 0, resetSeconds })
}

/** Puts on the slate how the counters stand that may be seen, from `from` on; gives where they begin. */
function note(slate: Slate, counters: readonly Counter[], tallies: readonly Tally[], from = slate.length): number {
  const standings = counters.map((counter, at) => standingOf(counter, tallyAt(tallies, at)))
  const seen = standings.filter(({ policy }) => !policy.isHidden)
  slate.splice(from, seen.length, ...seen)
  return from
}

function standingOf({ policy }: Counter, { failures, resetSeconds }: Tally): Standing {
  return { policy, remaining: Math.max(0, policy.points - failures), resetSeconds }
}

function tallyAt(tallies: readonly Tally[], at: number): Tally {
  return tallies[at] ?? { failures: 0, running: 0, resetSeconds: 0 }
}
