import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { Failure } from '../domain/failure.ts'
import { rateLimited, type Counter, type Policy, type Slate, type Standing } from '../domain/limit.ts'
import { countFailures, type CountFailures } from './count-failures.ts'
import { connectRedis } from './redis.ts'

export type Limits = {
  /**
   * Counts one against the counter.
   *
   * @throws Failure 429 `rate_limited` when it is used up, 503 `limits_unavailable` when it cannot be asked
   */
  take(counter: Counter, slate: Slate): Promise<void>
  /** Gives back what was taken. */
  giveBack(counter: Counter): Promise<void>
  /** Runs an attempt, and counts it when it fails. */
  countFailures: CountFailures
  close(): void
}

type Options = {
  redisUrl: string | undefined
  /** What the keys in Redis begin with */
  prefix: string
  /** Told when Redis cannot be asked */
  onFault: (fault: Error) => void
}

/** Counters in Redis or Valkey, shared by all instances, or in this process when there is none. */
export async function rateLimits({ redisUrl, prefix, onFault }: Options): Promise<Limits> {
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, onFault)
  const limiters = new Map<string, RateLimiterAbstract>()

  const limiterOf = (policy: Policy): RateLimiterAbstract => {
    const { name, points, seconds: duration, failsClosed } = policy
    const known = limiters.get(name)
    if (known) return known
    const options = { keyPrefix: `${prefix}:${name}`, points, duration }
    const local = new RateLimiterMemory(options)
    const shared = redis && { ...options, storeClient: redis, ...(!failsClosed && { insuranceLimiter: local }) }
    const limiter = shared ? new RateLimiterRedis(shared) : local
    limiters.set(name, limiter)
    return limiter
  }
  const giveBack: Limits['giveBack'] = async ({ policy, key }) => {
    await limiterOf(policy).reward(key)
  }
  /** Counts one; gives it back and says so when there was no room for it. */
  const count = async ({ policy, key }: Counter): Promise<Standing & { hadRoom: boolean }> => {
    try {
      return { ...standingOf(policy, await limiterOf(policy).consume(key)), hadRoom: true }
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw unavailable(error)
      await giveBack({ policy, key })
      return { ...standingOf(policy, error), hadRoom: false }
    }
  }
  return {
    async take(counter, slate) {
      const { hadRoom, ...standing } = await count(counter)
      slate.push(standing)
      if (!hadRoom) throw rateLimited(standing)
    },
    giveBack,
    countFailures: countFailures({ count, giveBack }),
    close: () => redis?.disconnect(),
  }
}

function unavailable(cause: unknown): Failure {
  return new Failure('limits_unavailable', { retryAfterSeconds: 2, cause })
}

function standingOf(policy: Policy, { remainingPoints, msBeforeNext }: RateLimiterRes): Standing {
  return { policy, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}
