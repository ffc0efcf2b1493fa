import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Clock } from '../domain/clock.ts'
import { Failure } from '../domain/failure.ts'
import { rateLimited, type Counter, type Slate } from '../domain/limit.ts'
import type { Log } from '../log.ts'
import { memoryAttempts } from './attempt-counters.ts'
import { systemClock } from './clock.ts'
import { countFailures, type ChooseCounters, type CountFailures } from './count-failures.ts'
import { countBy } from './counters.ts'
import { redisAttempts } from './redis-attempts.ts'
import { connectRedis } from './redis.ts'

export type Limits = {
  /**
   * Counts one against the counter.
   *
   * @throws Failure 429 `rate_limited` when it is used up, 503 `limits_unavailable` when it cannot be asked
   */
  take(counter: Counter, slate: Slate): Promise<void>
  /** Runs an attempt, and counts it when it fails. */
  countFailures: CountFailures
  close(): void
}

type HashOf = (key: string) => string

type Options = {
  redisUrl: string | undefined
  /** What the keys in Redis begin with */
  prefix: string
  log: Log
  clock?: Clock
  /** Makes keys for Redis that contain no personal data */
  hashOf?: HashOf
}

/**
 * Counters in Redis or Valkey, shared by all instances, or in this process when there is none. While Redis is away,
 * policies that do not fail closed are counted in this process.
 */
export async function rateLimits(options: Options): Promise<Limits> {
  const { redisUrl, prefix, log, clock = systemClock, hashOf = unhashed } = options
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, { prefix, log })
  const countHere = countBy(prefix, (options) => new RateLimiterMemory(options))
  const countShared =
    redis && countBy(prefix, (options) => new RateLimiterRedis({ ...options, storeClient: redis.client }), redis.ask)
  const attemptsHere = memoryAttempts(clock)
  const keyOf = ({ policy, key }: Counter): string => `${prefix}:failures:${policy.name}:${hashOf(key)}`
  const attemptsShared = redis && redisAttempts(redis, { clock, keyOf })

  const answered = <Answer>(answer: Answer | undefined): Answer => {
    if (answer === undefined) throw new Failure('limits_unavailable', { retryAfterSeconds: 2 })
    return answer
  }
  const choose: ChooseCounters = async (counters) => {
    const shared = await attemptsShared?.begin(counters)
    if (shared) return { ...shared, end: (hasFailed) => endShared(counters, hasFailed) }
    const mayCountHere = !redis || counters.every(({ policy }) => !policy.failsClosed)
    const here = answered(mayCountHere ? await attemptsHere.begin(counters) : undefined)
    return { ...here, end: (hasFailed) => attemptsHere.end(counters, hasFailed) }
  }
  /** A failure that Redis cannot be told of counts in this process. */
  const endShared: typeof attemptsHere.end = async (counters, hasFailed) => {
    const tallies = await attemptsShared?.end(counters, hasFailed)
    if (tallies || !hasFailed) return tallies
    await attemptsHere.begin(counters)
    return attemptsHere.end(counters, hasFailed)
  }
  return {
    async take({ policy, key }, slate) {
      const counter = { policy, key }
      const mayCountHere = !redis || !policy.failsClosed
      const shared = await countShared?.({ policy, key: hashOf(key) })
      const { hadRoom, standing } = answered(shared ?? (mayCountHere ? await countHere(counter) : undefined))
      slate.push(standing)
      if (!hadRoom) throw rateLimited(counter, standing)
    },
    countFailures: countFailures(choose),
    close: () => redis?.close(),
  }
}

function unhashed(key: string): string {
  return key
}
