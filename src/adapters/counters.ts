import type { IRateLimiterOptions, RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counter, Policy, Standing } from '../domain/limit.ts'

/** One that was counted. Where there was no room for it, it has been given back already. */
export type Counted = Readonly<{ standing: Standing; hadRoom: boolean }>

/** Resolves to undefined when the counter cannot be asked. */
export type Count = (counter: Counter) => Promise<Counted | undefined>

type Ask = <Answer>(command: () => Promise<Answer>) => Promise<Answer | undefined>

/**
 * @param prefix what keys begin with
 * @param make makes the limiter of a policy
 * @param ask runs what the limiter is asked
 */
export function countBy(
  prefix: string,
  make: (options: IRateLimiterOptions) => RateLimiterAbstract,
  ask: Ask = (command) => command(),
): Count {
  const limiters = new Map<string, RateLimiterAbstract>()

  const limiterOf = ({ name, points, seconds: duration }: Policy): RateLimiterAbstract => {
    const limiter = limiters.get(name) ?? make({ keyPrefix: `${prefix}:${name}`, points, duration })
    limiters.set(name, limiter)
    return limiter
  }
  return async ({ policy, key }) => {
    const limiter = limiterOf(policy)
    const result = await ask(() => limiter.penalty(key))
    if (!result) return undefined

    const hadRoom = result.consumedPoints <= policy.points
    if (!hadRoom && !(await ask(() => limiter.reward(key)))) return undefined
    return { standing: standingOf(policy, result), hadRoom }
  }
}

function standingOf(policy: Policy, { remainingPoints, msBeforeNext }: RateLimiterRes): Standing {
  return { policy, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}
