import type { FastifyRequest, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { RateLimitStatus, RateLimiter } from '../../domain/rate-limiter.ts'

/** The latest status of each policy that a request has used, by name, in the order of first use. */
export type RateLimits = Map<string, RateLimitStatus>

/** Returns the rate limiter of a request: it records what the response says in `RateLimit` and `RateLimit-Policy`. */
export function rateLimiterFor({ rateLimits }: FastifyRequest, { limits }: Pick<Context, 'limits'>): RateLimiter {
  const record = (statuses: readonly RateLimitStatus[]): void => {
    for (const status of statuses) if (!status.policy.isHidden) rateLimits.set(status.policy.name, status)
  }
  return {
    consume: (counters) => limits.consume(counters, record),
    countFailures: (counters, attempt, isFailure) => limits.countFailures(counters, attempt, isFailure, record),
  }
}

/** Sets `RateLimit` and `RateLimit-Policy`, as defined by the IETF draft ratelimit-headers. */
export function setRateLimitHeaders(rateLimits: RateLimits, reply: FastifyReply): void {
  if (rateLimits.size === 0) return
  const statuses = [...rateLimits.values()]
  const left = statuses.map((status) => `"${status.policy.name}";r=${status.remaining};t=${status.resetSeconds}`)
  const policies = statuses.map(({ policy }) => `"${policy.name}";q=${policy.points};w=${policy.seconds}`)
  reply.header('ratelimit', left.join(', ')).header('ratelimit-policy', policies.join(', '))
}
