import type { Clock } from '../../domain/clock.ts'
import type { Counter } from '../../domain/rate-limiter.ts'
import type { Tracer } from '../../lib/tracing.ts'
import {
  hasRoom,
  isUsedUp,
  pointsOf,
  secondsToReset,
  usageAt,
  type AttemptCounters,
  type Failed,
  type Usage,
} from './attempt-counters.ts'
import type { RedisConnection } from './redis-client.ts'
import { SCRIPTS } from './redis-scripts.ts'

/** After this time, an attempt whose process ended before it did no longer counts as running. */
const RUNNING_SECONDS = 30

type Scripts = Record<keyof typeof SCRIPTS, (keyCount: number, ...rest: (string | number)[]) => Promise<number[]>>

/**
 * Counters that all instances share. One command reads and writes all counters of a call, so in a Redis Cluster all keys
 * must have the same hash tag.
 *
 * @param toKey makes the Redis key of a counter
 */
export function redisAttempts(
  { client, execute }: RedisConnection,
  { clock, toKey }: { clock: Clock; toKey: (counter: Counter) => string },
): AttemptCounters {
  for (const [name, lua] of Object.entries(SCRIPTS)) client.defineCommand(name, { lua })
  const scripts = client as unknown as Scripts // defineCommand adds methods that the type cannot know

  /** The end of an attempt has the same counters as its beginning, and a hash need not be computed again. */
  const keys = new WeakMap<Counter, string>()
  const keyFor = (counter: Counter): string => {
    const key = keys.get(counter) ?? toKey(counter)
    keys.set(counter, key)
    return key
  }
  const run = (
    name: keyof Scripts,
    counters: readonly Counter[],
    { failed, option = RUNNING_SECONDS * 1000 }: { failed?: Failed; option?: number } = {},
  ): Promise<Usage[] | undefined> =>
    execute(async () => {
      const limits = counters.flatMap((counter, at) => toArguments(counter, failed?.[at]))
      const options = [clock.shiftMs(), option]
      const flat = await scripts[name](counters.length, ...counters.map(keyFor), ...options, ...limits)
      return counters.map((counter, at) => toUsage(counter, flat.slice(3 * at)))
    })
  return {
    async begin(counters) {
      const usages = await run('beginAttempt', counters)
      if (!usages) return undefined
      return { hasBegun: counters.every((counter, at) => hasRoom(counter, usageAt(usages, at))), usages }
    },
    end: (counters, failed) => run('endAttempt', counters, { failed }),
    giveBack: (counter, ageMs) => run('giveBackPoint', [counter], { option: ageMs }),
    credit: (counters, points, once) => run('creditPoints', [once, ...counters], { option: points }),
    async consume(counters) {
      const before = await run('consumePoints', counters)
      if (!before) return undefined
      const hadRoom = !counters.some((counter, at) => isUsedUp(counter, usageAt(before, at)))
      const after = before.map((usage) => ({ ...usage, failures: usage.failures + 1 }))
      return { hadRoom, usages: hadRoom ? after : before }
    },
  }
}

/** Returns the values of a counter that the scripts take. */
function toArguments(counter: Counter, hasFailed = false): number[] {
  const { seconds, eases } = counter.policy
  return [pointsOf(counter), seconds * 1000, hasFailed ? 1 : 0, (eases?.seconds ?? 0) * 1000, eases?.percent ?? 100]
}

function toUsage(counter: Counter, [failures = 0, running = 0, leftMs = 0]: number[]): Usage {
  return { failures, running, resetSeconds: secondsToReset(counter, failures, leftMs) }
}

/** Traces the commands of requests to Redis. Keys are left out. */
export function tracedCounters(counters: AttemptCounters, tracer: Tracer | undefined): AttemptCounters {
  if (!tracer) return counters
  const trace = <Result>(script: string, call: () => Promise<Result>): Promise<Result> => {
    const attributes = { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA', 'db.stored_procedure.name': script }
    return tracer.trace(`EVALSHA ${script}`, { attributes }, call)
  }
  return {
    begin: (...given) => trace('begin', () => counters.begin(...given)),
    end: (...given) => trace('end', () => counters.end(...given)),
    consume: (...given) => trace('consume', () => counters.consume(...given)),
    giveBack: (...given) => trace('giveBack', () => counters.giveBack(...given)),
    credit: (...given) => trace('credit', () => counters.credit(...given)),
  }
}
