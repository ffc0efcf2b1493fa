import type { Clock } from '../../domain/clock.ts'
import type { Counter } from '../../domain/rate-limiter.ts'
import type { Tracer } from '../../lib/tracing.ts'
import { pointsOf, secondsToReset, type AttemptCounters, type Failed, type Usage } from './attempt-counters.ts'
import type { RedisConnection } from './redis-client.ts'
import { SCRIPTS } from './redis-scripts.ts'

/** After this time, an attempt whose process ended before it did no longer counts as running. */
const RUNNING_SECONDS = 30

type Name = keyof typeof SCRIPTS
type Scripts = Record<`tawthiq_${Name}`, (keyCount: number, ...rest: (string | number)[]) => Promise<number[]>>

/**
 * Counters that all instances share. One command reads and writes all counters of a call, so in a Redis Cluster all keys
 * must have the same hash tag. Commands of requests are traced, without the keys.
 */
export function redisAttempts(
  { client, execute }: RedisConnection,
  { clock, toKey, tracer }: { clock: Clock; toKey: (counter: Counter) => string; tracer: Tracer | undefined },
): AttemptCounters {
  for (const [name, lua] of Object.entries(SCRIPTS)) client.defineCommand(`tawthiq_${name}`, { lua })
  const scripts = client as unknown as Scripts // defineCommand adds methods that the type cannot know

  /** The end of an attempt has the same counters as its beginning, and a hash need not be computed again. */
  const keys = new WeakMap<Counter, string>()
  const keyFor = (counter: Counter): string => {
    const key = keys.get(counter) ?? toKey(counter)
    keys.set(counter, key)
    return key
  }
  const run = (
    name: Name,
    counters: readonly Counter[],
    { failed, option = RUNNING_SECONDS * 1000 }: { failed?: Failed; option?: number } = {},
  ): Promise<Usage[] | undefined> => {
    const call = (): Promise<Usage[] | undefined> =>
      execute(async () => {
        const limits = counters.flatMap((counter, at) => toArguments(counter, failed?.[at]))
        const options = [clock.shiftMs(), option]
        const flat = await scripts[`tawthiq_${name}`](counters.length, ...counters.map(keyFor), ...options, ...limits)
        return counters.map((counter, at) => toUsage(counter, flat.slice(3 * at)))
      })
    const attributes = { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA', 'db.stored_procedure.name': name }
    return tracer ? tracer.trace(`EVALSHA ${name}`, { attributes }, call) : call()
  }
  return {
    begin: (counters) => run('begin', counters),
    end: (counters, failed) => run('end', counters, { failed }),
    consume: (counters) => run('consume', counters),
    giveBack: (counter, ageMs) => run('giveBack', [counter], { option: ageMs }),
    credit: (counters, points, once) => run('credit', [once, ...counters], { option: points }),
  }
}

function toArguments(counter: Counter, hasFailed = false): number[] {
  const { seconds, eases } = counter.policy
  return [pointsOf(counter), seconds * 1000, hasFailed ? 1 : 0, (eases?.seconds ?? 0) * 1000, eases?.percent ?? 100]
}

function toUsage(counter: Counter, [failures = 0, running = 0, leftMs = 0]: number[]): Usage {
  return { counter, failures, running, resetSeconds: secondsToReset(counter, failures, leftMs) }
}
