import type { Clock } from '../../domain/clock.ts'
import type { Counter } from '../../domain/limits/policy.ts'
import { hasRoom, secondsToReset, type AttemptCounters, type Usage } from './attempt-counters.ts'
import type { RedisConnection } from './redis-connection.ts'

/** After this time, an attempt whose process ended before it did no longer counts as running. */
const RUNNING_SECONDS = 30

/**
 * The beginning of both scripts. A counter is a hash: `failures` until `until`, `running` until `fades`. Times are those of
 * the Redis server, which all instances share. ARGV: the milliseconds by which the clock is ahead, the milliseconds for
 * which a running attempt counts, whether the attempt failed; then the points and the milliseconds of each counter.
 */
const READ = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
  local found = {}
  local hasRoom = true
  for at, key in ipairs(KEYS) do
    local fields = redis.call('HMGET', key, 'failures', 'until', 'running', 'fades')
    local each = { failures = tonumber(fields[1]) or 0, ['until'] = tonumber(fields[2]) or 0,
      running = tonumber(fields[3]) or 0, fades = tonumber(fields[4]) or 0,
      points = tonumber(ARGV[2 + 2 * at]), window = tonumber(ARGV[3 + 2 * at]) }
    if each['until'] <= now then each.failures = 0 end
    if each.fades <= now then each.running = 0 end
    hasRoom = hasRoom and each.failures + each.running < each.points
    found[at] = each
  end
  local function write(at, each)
    local key = KEYS[at]
    if each.failures + each.running == 0 then return redis.call('DEL', key) end
    redis.call('HSET', key, 'failures', each.failures, 'until', each['until'], 'running', each.running, 'fades', each.fades)
    redis.call('PEXPIRE', key, math.max(each['until'], each.fades) - now)
  end
  local function usages()
    local flat = {}
    for _, each in ipairs(found) do
      for _, value in ipairs({ each.failures, each.running, each['until'] - now }) do table.insert(flat, value) end
    end
    return flat
  end`

const BEGIN = `${READ}
  local before = usages()
  if hasRoom then
    for at, each in ipairs(found) do
      if each.running == 0 then each.fades = now + ARGV[2] end
      each.running = each.running + 1
      write(at, each)
    end
  end
  return before`

const END = `${READ}
  for at, each in ipairs(found) do
    each.running = math.max(0, each.running - 1)
    if ARGV[3] == '1' then
      if each.failures == 0 then each['until'] = now + each.window end
      each.failures = each.failures + 1
    end
    write(at, each)
  end
  return usages()`

/** The methods that ioredis adds to its client for the two scripts */
type Scripts = Record<
  'beginAttempt' | 'endAttempt',
  (keyCount: number, ...rest: (string | number)[]) => Promise<number[]>
>

/**
 * Counters that all instances share. One command reads and writes all counters of an attempt.
 *
 * @param toKey makes the Redis key of a counter
 */
export function redisAttempts(
  { client, execute }: RedisConnection,
  { clock, toKey }: { clock: Clock; toKey: (counter: Counter) => string },
): AttemptCounters {
  client.defineCommand('beginAttempt', { lua: BEGIN })
  client.defineCommand('endAttempt', { lua: END })
  const scripts = client as unknown as Scripts // defineCommand adds methods that the type cannot know

  const run = (name: keyof Scripts, counters: readonly Counter[], hasFailed: boolean): Promise<Usage[] | undefined> =>
    execute(async () => {
      const limits = counters.flatMap(({ policy }) => [policy.points, policy.seconds * 1000])
      const options = [clock.shiftMs(), RUNNING_SECONDS * 1000, hasFailed ? 1 : 0]
      const flat = await scripts[name](counters.length, ...counters.map(toKey), ...options, ...limits)
      return counters.map((counter, at) => toUsage(counter, flat.slice(3 * at)))
    })
  return {
    async begin(counters) {
      const usages = await run('beginAttempt', counters, false)
      if (!usages) return undefined
      return { hasBegun: counters.every((counter, at) => hasRoom(counter, usages[at] ?? NONE)), usages }
    },
    end: (counters, hasFailed) => run('endAttempt', counters, hasFailed),
  }
}

const NONE: Usage = { failures: 0, running: 0, resetSeconds: 0 }

function toUsage(counter: Counter, [failures = 0, running = 0, leftMs = 0]: number[]): Usage {
  return { failures, running, resetSeconds: secondsToReset(counter, failures, leftMs) }
}
