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

/** A limit for one key, for example an address or an account. */
export type Counter = Readonly<{ policy: Policy; key: string }>

/** The state of a counter after a request has used it. */
export type RateLimitStatus = Readonly<{ policy: Policy; remaining: number; resetSeconds: number }>
