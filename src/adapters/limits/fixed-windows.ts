import type { IRateLimiterOptions, RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counter, Policy, RateLimitStatus } from '../../domain/limits/policy.ts'

/** The result of consuming a point. If there was none left, nothing was consumed. */
export type Consumption = Readonly<{ status: RateLimitStatus; hadRoom: boolean }>

/** Consumes one point of a counter. Resolves to undefined when the counter is unavailable. */
export type Consume = (counter: Counter) => Promise<Consumption | undefined>

type Execute = <Result>(command: () => Promise<Result>) => Promise<Result | undefined>

/**
 * Counts in fixed windows: a window starts with the first point and ends when the seconds of the policy have passed.
 *
 * @param prefix the beginning of every key
 * @param newLimiter makes the limiter of a policy
 * @param execute runs the commands of the limiters
 */
export function fixedWindows(
  prefix: string,
  newLimiter: (options: IRateLimiterOptions) => RateLimiterAbstract,
  execute: Execute = (command) => command(),
): Consume {
  const limiters = new Map<string, RateLimiterAbstract>()

  const limiterFor = ({ name, points, seconds: duration }: Policy): RateLimiterAbstract => {
    const limiter = limiters.get(name) ?? newLimiter({ keyPrefix: `${prefix}:${name}`, points, duration })
    limiters.set(name, limiter)
    return limiter
  }
  return async ({ policy, key }) => {
    const limiter = limiterFor(policy)
    const result = await execute(() => limiter.penalty(key))
    if (!result) return undefined

    const hadRoom = result.consumedPoints <= policy.points
    if (!hadRoom && !(await execute(() => limiter.reward(key)))) return undefined
    return { status: toStatus(policy, result), hadRoom }
  }
}

function toStatus(policy: Policy, { remainingPoints, msBeforeNext }: RateLimiterRes): RateLimitStatus {
  return { policy, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}
