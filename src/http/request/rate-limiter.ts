import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { RateLimitStatus } from '../../domain/limits/policy.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'

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
