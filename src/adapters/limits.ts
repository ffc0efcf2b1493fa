import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { Failure } from '../domain/failure.ts'
import { rateLimited, type Counter, type Slate, type Standing } from '../domain/limit.ts'
import type { Log } from '../log.ts'
import { countFailures, type CountFailures } from './count-failures.ts'
import { countBy, type Counted, type Counting } from './counters.ts'
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

type Options = {
  redisUrl: string | undefined
  /** What the keys in Redis begin with */
  prefix: string
  log: Log
}

/**
 * Counters in Redis or Valkey, shared by all instances, or in this process when there is none. While Redis is away,
 * policies that do not fail closed are counted in this process.
 */
export async function rateLimits({ redisUrl, prefix, log }: Options): Promise<Limits> {
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, { prefix, log })
  const here = countBy(prefix, (options) => new RateLimiterMemory(options))
  const shared =
    redis && countBy(prefix, (options) => new RateLimiterRedis({ ...options, storeClient: redis.client }), redis.ask)

  const ask = async <Answer>(
    counter: Counter,
    question: (counting: Counting) => Promise<Answer | undefined>,
  ): Promise<Answer> => {
    const mayCountHere = !shared || !counter.policy.failsClosed
    const answer = (shared && (await question(shared))) ?? (mayCountHere ? await question(here) : undefined)
    if (answer === undefined) throw new Failure('limits_unavailable', { retryAfterSeconds: 2 })
    return answer
  }
  const count = (counter: Counter): Promise<Counted> => ask(counter, (counting) => counting.count(counter))
  const read = (counter: Counter): Promise<Standing> => ask(counter, (counting) => counting.read(counter))
  return {
    async take(counter, slate) {
      const { hadRoom, standing } = await count(counter)
      slate.push(standing)
      if (!hadRoom) throw rateLimited(counter, standing)
    },
    countFailures: countFailures({ count, read }),
    close: () => redis?.close(),
  }
}
