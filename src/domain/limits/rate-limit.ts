import { Failure } from '../failure.ts'
import type { Counter } from './policy.ts'

/** Creates the failure for a counter that has no points left for `resetSeconds`. */
export function rateLimited(counter: Counter, resetSeconds: number): Failure {
  return new Failure('rate_limited', { retryAfterSeconds: resetSeconds, counter })
}
