import type { Counter } from './policy.ts'

/** Limits how often something happens, and how often it fails. */
export type RateLimiter = {
  /**
   * Consumes one point of every counter, or of none if one of them has no point left.
   *
   * @throws Failure 429 `rate_limited` when no point is left, 503 `limits_unavailable` when a counter is unavailable
   */
  consume(counters: Counter | readonly Counter[]): Promise<void>
  /**
   * Runs an attempt and returns its result. Consumes a point of every counter for which `isFailure` returns true; an
   * attempt that throws consumes none. Each attempt reserves a point of every counter while it runs, so
   * parallel attempts cannot fail more often than the policies allow.
   *
   * @throws Failure 429 `rate_limited` when no point is left, 503 `limits_unavailable` when a counter is unavailable
   */
  countFailures<Result>(
    counters: readonly Counter[],
    attempt: () => Promise<Result>,
    isFailure: (result: Result, counter: Counter) => boolean,
  ): Promise<Result>
}
