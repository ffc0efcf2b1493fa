import type { Clock } from '../../domain/clock.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter } from '../../domain/rate-limiter.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Observers } from '../../lib/observers.ts'
import { memoryAttempts, type AttemptCounters } from './attempt-counters.ts'
import { systemClock } from '../clock.ts'
import {
  failureCounting,
  refuseUsedUp,
  toStatuses,
  type BeginAttempt,
  type CountFailures,
  type ReportStatuses,
} from './count-failures.ts'
import { redisAttempts } from './redis-attempts.ts'
import type { connectRedis, RedisServer } from './redis-client.ts'

/** The `RateLimiter` of the process. It knows nothing of requests: `report` receives the statuses of its counters. */
export type Limits = {
  consume(counters: Counter | readonly Counter[], report?: ReportStatuses): Promise<void>
  countFailures: CountFailures
  /** Returns a point that was consumed at a time, unless a new window of the counter has begun since. */
  giveBack(counter: Counter, consumedAtMs: number): Promise<void>
  /**
   * Returns up to `points` points to each counter, and consumes one of `once`. Does nothing if `once` has no point left or the
   * counters are unavailable.
   */
  credit(counters: readonly Counter[], points: number, once: Counter): Promise<void>
  /**
   * Checks that the counters that instances share can be used.
   *
   * @throws Failure `limits_unavailable` while Redis is unavailable
   */
  check(): Promise<void>
  close(): void
}

type Options = Partial<Observers> & {
  redisUrl: string | undefined
  redisAccess?: RedisServer['access']
  /** The beginning of every key in Redis */
  prefix: string
  log: Log
  clock?: Clock
  /** Hashes keys, so that Redis stores no personal data */
  hashKey?: (key: string) => string
}

/** How far the clocks of the instances and of Redis may differ */
const CLOCK_SKEW_MS_MAX = 5000

/** The counters of this process, and those that all instances share, if Redis is configured. */
type Backend = { here: AttemptCounters; shared: AttemptCounters | undefined }

/**
 * Opens counters in Redis or Valkey, which all instances share, or in this process when no URL is configured. While Redis is
 * unavailable, policies that do not fail closed are counted in this process.
 */
export async function openLimits(options: Options): Promise<Limits> {
  const { redisUrl: url, redisAccess: access, log, clock = systemClock, metrics, tracer } = options
  const { hashKey = (key: string) => key } = options
  // Keys with the same text in braces are on the same node of a cluster, which one script requires of all its keys.
  const prefix = url?.includes('+cluster:') ? `{${options.prefix}}` : options.prefix
  const redis = url === undefined ? undefined : await connect({ url, access }, { prefix, log, metrics })
  const toKey = ({ policy, key }: Counter): string => `${prefix}:failures:${policy.name}:${hashKey(key)}`
  const shared = redis && redisAttempts(redis, { clock, toKey, tracer })
  const backend = { here: memoryAttempts(clock), shared }
  return {
    consume: consumption(backend, metrics),
    countFailures: failureCounting(attempts(backend), metrics),
    async giveBack(counter, consumedAtMs) {
      const ageMs = Math.max(0, clock.nowMs() - consumedAtMs - CLOCK_SKEW_MS_MAX)
      if (!(await backend.shared?.giveBack(counter, ageMs))) await backend.here.giveBack(counter, ageMs)
    },
    async credit(counters, points, once) {
      await (backend.shared ?? backend.here).credit(counters, points, once)
    },
    async check() {
      if (redis) requireAvailable(await redis.execute(redis.probe))
    },
    close: () => redis?.close(),
  }
}

/** Loads the client of Redis only if it is used, because that takes time and memory. */
const connect: typeof connectRedis = async (...given) => (await import('./redis-client.ts')).connectRedis(...given)

/** Consumes points in Redis if possible, and otherwise here. */
function consumption(backend: Backend, metrics: Metrics | undefined): Limits['consume'] {
  return async (given, report = () => undefined) => {
    const counters = 'policy' in given ? [given] : given
    const consumed = await backend.shared?.consume(counters)
    const before = requireAvailable(consumed ?? (await hereIfAllowed(backend, counters)?.consume(counters)))
    refuseUsedUp(before, { report, metrics })
    report(toStatuses(before.map((usage) => ({ ...usage, failures: usage.failures + 1 }))))
  }
}

/** Begins attempts in Redis if possible, and otherwise here. */
function attempts(backend: Backend): BeginAttempt {
  const { here, shared } = backend
  /** Ends an attempt that began in Redis. A failure that Redis cannot store counts in this process. */
  const endShared: typeof here.end = async (counters, failed) => {
    const usages = await shared?.end(counters, failed)
    if (usages || !failed.includes(true)) return usages
    await here.begin(counters)
    return here.end(counters, failed)
  }
  return async (counters) => {
    const usages = await shared?.begin(counters)
    if (usages) return { usages, end: (failed) => endShared(counters, failed) }
    const usagesHere = requireAvailable(await hereIfAllowed(backend, counters)?.begin(counters))
    return { usages: usagesHere, end: (failed) => here.end(counters, failed) }
  }
}

/** Returns the counters of this process, unless there are shared ones and a policy does not allow to count without them. */
function hereIfAllowed({ here, shared }: Backend, counters: readonly Counter[]): AttemptCounters | undefined {
  return shared && counters.some(({ policy }) => policy.failsClosed) ? undefined : here
}

function requireAvailable<Result>(result: Result | undefined): Result {
  if (result === undefined) throw new Failure('limits_unavailable', { retryAfterSeconds: 2 })
  return result
}
