import { LIMITS } from '../../generated/limits.ts'
import { Failure } from './failure.ts'

/** How often something may happen: `points` times in `seconds`. The names are those of `RateLimit-Policy`. */
export type Policy = Readonly<{
  name: string
  points: number
  seconds: number
  /** Refuses when the shared counters do not answer, instead of counting in this process alone */
  failsClosed?: true
  /** Does not appear in `RateLimit`: what it counts was done by others too */
  isHidden?: true
}>

/** Of tokens that are refused, by address */
export const REFUSED_TOKENS: Policy = { name: 'refused-tokens', points: LIMITS.tokens.refused_per_minute, seconds: 60 }

/** One limit for one key, for example an address or an account. */
export type Counter = Readonly<{ policy: Policy; key: string }>

/** How a counter stands after it was asked. */
export type Standing = Readonly<{ policy: Policy; remaining: number; resetSeconds: number }>

/** What the counters of one request said: it goes out as `RateLimit` and `RateLimit-Policy`. */
export type Slate = Standing[]

export function rateLimited(counter: Counter, { resetSeconds }: Standing): Failure {
  return new Failure('rate_limited', { retryAfterSeconds: resetSeconds, counter })
}
