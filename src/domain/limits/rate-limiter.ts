import type { Counter } from './policy.ts'

/** Limits how often something happens, and how often it fails. */
export type RateLimiter = {
  /**
   * Consumes one point of the counter.
   *
   * @throws Failure 429 `rate_limited` when no point is left, 503 `limits_unavailable` when the counter is unavailable
   */
  consume(counter: Counter): Promise<void>
  /**
   * Runs an attempt and returns its result. Consumes a point of every counter if `isFailure` returns true for the
   * result; an attempt that throws consumes none. Each attempt reserves a point of every counter while it runs, so
   * parallel attempts cannot fail more often than the policies allow.
   *
   * @throws Failure 429 `rate_limited` when no point is left, 503 `limits_unavailable` when a counter is unavailable
   */
  countFailures<Result>(
    counters: readonly Counter[],
    attempt: () => Promise<Result>,
    isFailure: (result: Result) => boolean,
  ): Promise<Result>
}
