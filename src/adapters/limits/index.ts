import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Clock } from '../../domain/clock.ts'
import { Failure } from '../../domain/failure.ts'
import type { Counter } from '../../domain/limits/policy.ts'
import { rateLimited } from '../../domain/limits/rate-limit.ts'
import type { Log } from '../../lib/log.ts'
import { memoryAttempts } from './attempt-counters.ts'
import { systemClock } from '../clock.ts'
import { failureCounting, type BeginAttempt, type CountFailures, type ReportStatuses } from './count-failures.ts'
import { fixedWindows, type Consume } from './fixed-windows.ts'
import { redisAttempts } from './redis-attempts.ts'
import type { RedisConnection } from './redis-connection.ts'

/** The rate limiter of the process. It knows nothing of requests: `report` receives the statuses of its counters. */
export type Limits = {
  /**
   * Consumes one point of the counter.
   *
   * @throws Failure 429 `rate_limited` when no point is left, 503 `limits_unavailable` when the counter is unavailable
   */
  consume(counter: Counter, report?: ReportStatuses): Promise<void>
  /** Runs an attempt, and consumes one point of every counter if it fails. */
  countFailures: CountFailures
  close(): void
}

type Options = {
  redisUrl: string | undefined
  /** The beginning of every key in Redis */
  prefix: string
  log: Log
  clock?: Clock
  /** Hashes keys, so that Redis stores no personal data */
  hashKey?: HashKey
}

type HashKey = (key: string) => string

/** What the counters need. Without a connection, they are in this process. */
type Backend = Required<Pick<Options, 'prefix' | 'clock' | 'hashKey'>> & { redis: RedisConnection | undefined }

/**
 * Opens counters in Redis or Valkey, which all instances share, or in this process when no URL is configured. While Redis is
 * unavailable, policies that do not fail closed are counted in this process.
 */
export async function openLimits(options: Options): Promise<Limits> {
  const { redisUrl, prefix, log, clock = systemClock, hashKey = (key: string) => key } = options
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl, { prefix, log })
  const backend = { redis, prefix, clock, hashKey }
  const consume = consumption(backend)
  return {
    async consume(counter, report) {
      const { hadRoom, status } = requireAvailable(await consume(counter))
      report?.([status])
      if (!hadRoom) throw rateLimited(counter, status.resetSeconds)
    },
    countFailures: failureCounting(attempts(backend)),
    close: () => redis?.close(),
  }
}

/** Loads the client of Redis only if it is used, because that takes time and memory. */
async function connect(url: string, options: Pick<Options, 'prefix' | 'log'>): Promise<RedisConnection> {
  const { connectRedis } = await import('./redis-connection.ts')
  return connectRedis(url, options)
}

/** Consumes points in Redis if possible, and otherwise here. */
function consumption({ redis, prefix, hashKey }: Backend): Consume {
  const here = fixedWindows(prefix, (options) => new RateLimiterMemory(options))
  if (!redis) return here
  const { client: storeClient, execute } = redis
  const shared = fixedWindows(prefix, (options) => new RateLimiterRedis({ ...options, storeClient }), execute)
  return async ({ policy, key }) =>
    (await shared({ policy, key: hashKey(key) })) ?? (policy.failsClosed ? undefined : here({ policy, key }))
}

/** Begins attempts in Redis if possible, and otherwise here. */
function attempts({ redis, prefix, clock, hashKey }: Backend): BeginAttempt {
  const here = memoryAttempts(clock)
  const toKey = ({ policy, key }: Counter): string => `${prefix}:failures:${policy.name}:${hashKey(key)}`
  const shared = redis && redisAttempts(redis, { clock, toKey })

  /** Ends an attempt that began in Redis. A failure that Redis cannot store counts in this process. */
  const endShared: typeof here.end = async (counters, hasFailed) => {
    const usages = await shared?.end(counters, hasFailed)
    if (usages || !hasFailed) return usages
    await here.begin(counters)
    return here.end(counters, hasFailed)
  }
  return async (counters) => {
    const begunShared = await shared?.begin(counters)
    if (begunShared) return { ...begunShared, end: (hasFailed) => endShared(counters, hasFailed) }
    const mayCountHere = !redis || counters.every(({ policy }) => !policy.failsClosed)
    const begunHere = requireAvailable(mayCountHere ? await here.begin(counters) : undefined)
    return { ...begunHere, end: (hasFailed) => here.end(counters, hasFailed) }
  }
}

function requireAvailable<Result>(result: Result | undefined): Result {
  if (result === undefined) throw new Failure('limits_unavailable', { retryAfterSeconds: 2 })
  return result
}
