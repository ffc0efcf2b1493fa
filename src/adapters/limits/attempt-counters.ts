import type { Clock } from '../../domain/clock.ts'
import type { Counter, Easing } from '../../domain/rate-limiter.ts'

/** How much of a counter is used: the failures in its window, the attempts that run now, and when the window ends. */
export type Usage = Readonly<{ counter: Counter; failures: number; running: number; resetSeconds: number }>

/** Whether the attempt failed, for each of its counters */
export type Failed = readonly boolean[]

/**
 * Counts failures and running attempts separately. An attempt begins if in each of its counters both together are below
 * the points of the policy. Each method reads and writes all counters in one step, and resolves to undefined when they are
 * unavailable; otherwise to what is used of them, in their order.
 */
export type AttemptCounters = {
  /** Begins an attempt if every counter has room for it. Resolves to the usages before it. */
  begin(counters: readonly Counter[]): Promise<Usages>
  /** Ends an attempt that has begun, and counts it where it failed. */
  end(counters: readonly Counter[], failed: Failed): Promise<Usages>
  /**
   * Counts a failure in every counter, or in none if one of them is used up. Running attempts do not matter. Resolves to the
   * usages before it.
   */
  consume(counters: readonly Counter[]): Promise<Usages>
  /** Removes the failure that a counter counted some time ago, unless a new window has begun since. */
  giveBack(counter: Counter, ageMs: number): Promise<Usages>
  /** Removes up to `points` failures from each counter, unless `once` is used up. Counts a failure of `once`. */
  credit(counters: readonly Counter[], points: number, once: Counter): Promise<Usages>
}
type Usages = readonly Usage[] | undefined

/** `recent` are the failures that will weigh less at `easesAtMs`, if the policy eases. */
type Entry = { failures: number; running: number; untilMs: number; recent: number; easesAtMs: number }

/** The number of entries from which expired ones are deleted */
const PRUNED_FROM = 1000

/** Returns how many points a counter has: more than it ever counts, if it only counts. */
export function pointsOf({ policy, onlyCounts = false }: Counter): number {
  return onlyCounts ? Number.MAX_SAFE_INTEGER : policy.points
}

export function hasRoom({ counter, failures, running }: Usage): boolean {
  return failures + running < pointsOf(counter)
}

export function isUsedUp({ counter, failures }: Usage): boolean {
  return failures >= pointsOf(counter)
}

function isExpired({ failures, running, untilMs }: Entry, nowMs: number): boolean {
  return running === 0 && (failures === 0 || untilMs <= nowMs)
}

const NO_FAILURES = { failures: 0, untilMs: 0, recent: 0, easesAtMs: 0 }

function ease(entry: Entry, points: number, { percent }: Easing): void {
  entry.failures = Math.min(points - 1, entry.failures - (entry.recent * (100 - percent)) / 100)
  entry.recent = 0
}

function removeFailures(entry: Entry, count: number): void {
  entry.failures = Math.max(0, entry.failures - count)
  entry.recent = Math.min(entry.recent, entry.failures)
}

/** Entries by policy and key. Expired ones are deleted now and then. */
function createEntries(clock: Clock): { prune(): void; read(counter: Counter): Entry } {
  const entries = new Map<string, Entry>()
  let pruneAt = PRUNED_FROM
  return {
    prune() {
      if (entries.size < pruneAt) return
      const nowMs = clock.nowMs()
      for (const [id, entry] of entries) if (isExpired(entry, nowMs)) entries.delete(id)
      pruneAt = Math.max(PRUNED_FROM, 2 * entries.size)
    },
    read(counter) {
      const { policy, key } = counter
      const id = `${policy.name}:${key}`
      const entry = entries.get(id) ?? { ...NO_FAILURES, running: 0 }
      if (entry.untilMs <= clock.nowMs()) Object.assign(entry, NO_FAILURES)
      if (policy.eases && entry.recent > 0 && entry.easesAtMs <= clock.nowMs())
        ease(entry, pointsOf(counter), policy.eases)
      entries.set(id, entry)
      return entry
    },
  }
}

export function memoryAttempts(clock: Clock): AttemptCounters {
  const { prune, read: readEntry } = createEntries(clock)
  const readUsage = (counter: Counter): Usage => {
    const { failures, running, untilMs, recent, easesAtMs } = readEntry(counter)
    const resetAtMs = recent > 0 ? Math.min(untilMs, easesAtMs) : untilMs
    const resetSeconds = secondsToReset(counter, failures, resetAtMs - clock.nowMs())
    return { counter, failures: Math.floor(failures), running, resetSeconds }
  }
  const countFailure = (counter: Counter): void => {
    const entry = readEntry(counter)
    const { seconds, eases } = counter.policy
    if (entry.failures++ === 0) entry.untilMs = clock.nowMs() + seconds * 1000
    if (eases && entry.recent++ === 0) entry.easesAtMs = clock.nowMs() + eases.seconds * 1000
  }
  const endOne = (counter: Counter, hasFailed = false): Usage => {
    const entry = readEntry(counter)
    entry.running = Math.max(0, entry.running - 1)
    if (hasFailed) countFailure(counter)
    return readUsage(counter)
  }
  return {
    begin: async (counters) => {
      prune()
      const usages = counters.map(readUsage)
      if (usages.every(hasRoom)) for (const counter of counters) readEntry(counter).running++
      return usages
    },
    end: async (counters, failed) => counters.map((counter, at) => endOne(counter, failed[at])),
    consume: async (counters) => {
      prune()
      const usages = counters.map(readUsage)
      if (!usages.some(isUsedUp)) counters.forEach(countFailure)
      return usages
    },
    giveBack: async (counter, ageMs) => {
      const entry = readEntry(counter)
      const hasBegunSince = entry.untilMs - counter.policy.seconds * 1000 > clock.nowMs() - ageMs
      if (!hasBegunSince) removeFailures(entry, 1)
      return [readUsage(counter)]
    },
    credit: async (counters, points, once) => {
      if (!isUsedUp(readUsage(once))) {
        countFailure(once)
        for (const entry of counters.map(readEntry)) removeFailures(entry, points)
      }
      return [once, ...counters].map(readUsage)
    },
  }
}

/** The window of a counter without failures starts with the first one. */
export function secondsToReset({ policy }: Counter, failures: number, leftMs: number): number {
  return failures === 0 ? policy.seconds : Math.max(1, Math.ceil(leftMs / 1000))
}
