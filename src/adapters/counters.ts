import type { IRateLimiterOptions, RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counter, Policy, Standing } from '../domain/limit.ts'

/** One that was counted. Where there was no room for it, it has been given back already. */
export type Counted = Readonly<{
  standing: Standing
  hadRoom: boolean
  /** Takes it from the counter again; one that cannot be asked then forgets by itself, in time. */
  giveBack(): Promise<void>
}>

/** Both resolve to undefined when the counter cannot be asked. */
export type Counting = {
  count(counter: Counter): Promise<Counted | undefined>
  /** How the counter stands, which counts nothing. */
  read(counter: Counter): Promise<Standing | undefined>
}

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
): Counting {
  const limiters = new Map<string, RateLimiterAbstract>()

  const limiterOf = ({ name, points, seconds: duration }: Policy): RateLimiterAbstract => {
    const limiter = limiters.get(name) ?? make({ keyPrefix: `${prefix}:${name}`, points, duration })
    limiters.set(name, limiter)
    return limiter
  }
  const count: Counting['count'] = async ({ policy, key }) => {
    const limiter = limiterOf(policy)
    const takeBack = (): Promise<RateLimiterRes | undefined> => ask(() => limiter.reward(key))
    const result = await ask(() => limiter.penalty(key))
    if (!result) return undefined

    const hadRoom = result.consumedPoints <= policy.points
    if (!hadRoom && !(await takeBack())) return undefined
    return {
      standing: standingOf(policy, result),
      hadRoom,
      async giveBack() {
        await takeBack()
      },
    }
  }
  const read: Counting['read'] = async ({ policy, key }) => {
    const answer = await ask(async () => ({ found: await limiterOf(policy).get(key) }))
    if (!answer) return undefined
    return answer.found ? standingOf(policy, answer.found) : untouched(policy)
  }
  return { count, read }
}

function untouched(policy: Policy): Standing {
  return { policy, remaining: policy.points, resetSeconds: policy.seconds }
}

function standingOf(policy: Policy, { remainingPoints, msBeforeNext }: RateLimiterRes): Standing {
  return { policy, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}
