import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../failure.ts'
import type { Counter, Policy } from './policy.ts'

/** The limit of requests with an invalid token, by network */
export const REFUSED_TOKENS: Policy = { name: 'refused-tokens', points: LIMITS.tokens.refused_per_minute, seconds: 60 }

/** Creates the failure for a counter that has no points left for `resetSeconds`. */
export function rateLimited(counter: Counter, resetSeconds: number): Failure {
  return new Failure('rate_limited', { retryAfterSeconds: resetSeconds, counter })
}
