import type { FastifyReply } from 'fastify'
import type { Slate } from '../domain/limit.ts'

/** `RateLimit` and `RateLimit-Policy`, as the IETF draft ratelimit-headers has them. */
export function sendRateLimits(slate: Slate, reply: FastifyReply): void {
  if (slate.length === 0) return
  reply.header(
    'ratelimit',
    slate.map(({ policy, remaining, resetSeconds }) => `"${policy.name}";r=${remaining};t=${resetSeconds}`).join(', '),
  )
  reply.header(
    'ratelimit-policy',
    slate.map(({ policy }) => `"${policy.name}";q=${policy.points};w=${policy.seconds}`).join(', '),
  )
}
