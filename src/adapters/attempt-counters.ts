import type { Clock } from '../domain/clock.ts'
import type { Counter } from '../domain/limit.ts'

/** The failures that count, the attempts that run, and in how many seconds the failures are forgotten. */
export type Tally = Readonly<{ failures: number; running: number; resetSeconds: number }>

/** What came of an attempt to begin: `hasBegun` if every counter had room for it. The tallies are those before it. */
export type Beginning = Readonly<{ hasBegun: boolean; tallies: readonly Tally[] }>

/**
 * Counts failures, and apart from them the attempts that run: an attempt begins where both together are fewer than the
 * points of each of its counters. Every method asks about all counters at once, and resolves to undefined when they
 * cannot be asked.
 */
export type AttemptCounters = {
  begin(counters: readonly Counter[]): Promise<Beginning | undefined>
  /** Ends an attempt that has begun, and counts it if it failed. */
  end(counters: readonly Counter[], hasFailed: boolean): Promise<readonly Tally[] | undefined>
}

type Entry = { failures: number; running: number; untilMs: number }

/** From how many entries on expired ones are deleted */
const PRUNED_FROM = 1000

export function hasRoom({ policy }: Counter, { failures, running }: Tally): boolean {
  return failures + running < policy.points
}

/** Counters of this process. */
export function memoryAttempts(clock: Clock): AttemptCounters {
  const entries = new Map<string, Entry>()
  let pruneAt = PRUNED_FROM

  const isForgotten = ({ failures, running, untilMs }: Entry): boolean =>
    running === 0 && (failures === 0 || untilMs <= clock.nowMs())
  const prune = (): void => {
    if (entries.size < pruneAt) return
    for (const [id, entry] of entries) if (isForgotten(entry)) entries.delete(id)
    pruneAt = Math.max(PRUNED_FROM, 2 * entries.size)
  }
  const entryOf = ({ policy, key }: Counter): Entry => {
    const id = `${policy.name}:${key}`
    const entry = entries.get(id) ?? { failures: 0, running: 0, untilMs: 0 }
    if (entry.untilMs <= clock.nowMs()) Object.assign(entry, { failures: 0, untilMs: 0 })
    entries.set(id, entry)
    return entry
  }
  const tallyOf = (counter: Counter): Tally => {
    const { failures, running, untilMs } = entryOf(counter)
    return { failures, running, resetSeconds: secondsOf(counter, failures, untilMs - clock.nowMs()) }
  }
  const endOne = (counter: Counter, hasFailed: boolean): Tally => {
    const entry = entryOf(counter)
    entry.running = Math.max(0, entry.running - 1)
    if (hasFailed && entry.failures++ === 0) entry.untilMs = clock.nowMs() + counter.policy.seconds * 1000
    return tallyOf(counter)
  }
  return {
    begin: async (counters) => {
      prune()
      const tallies = counters.map(tallyOf)
      const hasBegun = counters.every((counter, at) => hasRoom(counter, tallies[at] ?? tallyOf(counter)))
      if (hasBegun) for (const counter of counters) entryOf(counter).running++
      return { hasBegun, tallies }
    },
    end: async (counters, hasFailed) => counters.map((counter) => endOne(counter, hasFailed)),
  }
}

/** A counter without failures begins its time with the first one. */
export function secondsOf({ policy }: Counter, failures: number, leftMs: number): number {
  return failures === 0 ? policy.seconds : Math.max(1, Math.ceil(leftMs / 1000))
}
