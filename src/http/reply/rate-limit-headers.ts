import type { FastifyReply } from 'fastify'
import type { RateLimits } from '../request/rate-limiter.ts'

/** Sets `RateLimit` and `RateLimit-Policy`, as defined by the IETF draft ratelimit-headers. */
export function setRateLimitHeaders(rateLimits: RateLimits, reply: FastifyReply): void {
  if (rateLimits.size === 0) return
  const statuses = [...rateLimits.values()]
  reply.header(
    'ratelimit',
    statuses
      .map(({ policy, remaining, resetSeconds }) => `"${policy.name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  )
  reply.header(
    'ratelimit-policy',
    statuses.map(({ policy }) => `"${policy.name}";q=${policy.points};w=${policy.seconds}`).join(', '),
  )
}
