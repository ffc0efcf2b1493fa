/** A limit of `points` in `seconds`. The name is the one in `RateLimit-Policy`. */
export type Policy = Readonly<{
  name: string
  points: number
  seconds: number
  /** Rejects requests while the shared counters are unavailable, instead of counting in this process alone */
  failsClosed?: true
  /** Never appears in `RateLimit`, because it also counts requests of other clients */
  isHidden?: true
  /** A rejection names another counter, if one is used up too */
  isNamedLast?: true
  /** Points weigh less some time after they were used */
  eases?: Easing
}>

/**
 * After `seconds`, used points count for `percent` of what they did, and at least one point is free again. A limit that was
 * used up can therefore be used again soon, however long its window is.
 */
export type Easing = Readonly<{ seconds: number; percent: number }>

/** The key of one account and one network, so that a stolen token uses up no limit of its owner. */
export function ofAccountAndNetwork({ accountId }: { accountId: number }, { network }: { network: string }): string {
  return `${accountId} ${network}`
}

/** A limit for one key, for example an address or an account. With `onlyCounts`, it never rejects. */
export type Counter = Readonly<{ policy: Policy; key: string; onlyCounts?: boolean | undefined }>

/** The state of a counter after a request has used it. */
export type RateLimitStatus = Readonly<{ policy: Policy; remaining: number; resetSeconds: number }>

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
