import type { Clock } from '../../domain/clock.ts'
import type { Counter } from '../../domain/limits/policy.ts'
import { hasRoom, isUsedUp, secondsToReset, type AttemptCounters, type Failed, type Usage } from './attempt-counters.ts'
import type { RedisConnection } from './redis-connection.ts'

/** After this time, an attempt whose process ended before it did no longer counts as running. */
const RUNNING_SECONDS = 30

/**
 * The beginning of all scripts. A counter is a hash: `failures` until `until`, `running` until `fades`. Times are those of
 * the Redis server, which all instances share. ARGV: the milliseconds by which the clock is ahead, the milliseconds for
 * which a running attempt counts; then the points of each counter, its milliseconds, and 1 if the attempt failed there.
 */
const READ = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
  local found = {}
  for at, key in ipairs(KEYS) do
    local fields = redis.call('HMGET', key, 'failures', 'until', 'running', 'fades')
    local each = { failures = tonumber(fields[1]) or 0, ['until'] = tonumber(fields[2]) or 0,
      running = tonumber(fields[3]) or 0, fades = tonumber(fields[4]) or 0,
      points = tonumber(ARGV[3 * at]), window = tonumber(ARGV[3 * at + 1]), hasFailed = ARGV[3 * at + 2] == '1' }
    if each['until'] <= now then each.failures = 0 end
    if each.fades <= now then each.running = 0 end
    found[at] = each
  end
  local function countFailure(each)
    if each.failures == 0 then each['until'] = now + each.window end
    each.failures = each.failures + 1
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
  for _, each in ipairs(found) do if each.failures + each.running >= each.points then return before end end
  for at, each in ipairs(found) do
    if each.running == 0 then each.fades = now + ARGV[2] end
    each.running = each.running + 1
    write(at, each)
  end
  return before`

const END = `${READ}
  for at, each in ipairs(found) do
    each.running = math.max(0, each.running - 1)
    if each.hasFailed then countFailure(each) end
    write(at, each)
  end
  return usages()`

const CONSUME = `${READ}
  local before = usages()
  for _, each in ipairs(found) do if each.failures >= each.points then return before end end
  for at, each in ipairs(found) do
    countFailure(each)
    write(at, each)
  end
  return before`

/** ARGV[2] is the age of the failure in milliseconds. */
const GIVE_BACK = `${READ}
  local each = found[1]
  if each.failures > 0 and each['until'] - each.window <= now - ARGV[2] then
    each.failures = each.failures - 1
    write(1, each)
  end
  return usages()`

/** The methods that ioredis adds to its client for the scripts */
type Scripts = Record<
  'beginAttempt' | 'endAttempt' | 'consumePoints' | 'giveBackPoint',
  (keyCount: number, ...rest: (string | number)[]) => Promise<number[]>
>

/**
 * Counters that all instances share. One command reads and writes all counters of a call, so in a Redis Cluster all keys
 * must have the same hash tag.
 *
 * @param toKey makes the Redis key of a counter
 */
export function redisAttempts(
  { client, execute }: RedisConnection,
  { clock, toKey }: { clock: Clock; toKey: (counter: Counter) => string },
): AttemptCounters {
  client.defineCommand('beginAttempt', { lua: BEGIN })
  client.defineCommand('endAttempt', { lua: END })
  client.defineCommand('consumePoints', { lua: CONSUME })
  client.defineCommand('giveBackPoint', { lua: GIVE_BACK })
  const scripts = client as unknown as Scripts // defineCommand adds methods that the type cannot know

  /** The end of an attempt has the same counters as its beginning, and a hash need not be computed again. */
  const keys = new WeakMap<Counter, string>()
  const keyFor = (counter: Counter): string => {
    const key = keys.get(counter) ?? toKey(counter)
    keys.set(counter, key)
    return key
  }
  const run = (
    name: keyof Scripts,
    counters: readonly Counter[],
    { failed, ms = RUNNING_SECONDS * 1000 }: { failed?: Failed; ms?: number } = {},
  ): Promise<Usage[] | undefined> =>
    execute(async () => {
      const limits = counters.flatMap(({ policy }, at) => [policy.points, policy.seconds * 1000, failed?.[at] ? 1 : 0])
      const options = [clock.shiftMs(), ms]
      const flat = await scripts[name](counters.length, ...counters.map(keyFor), ...options, ...limits)
      return counters.map((counter, at) => toUsage(counter, flat.slice(3 * at)))
    })
  return {
    async begin(counters) {
      const usages = await run('beginAttempt', counters)
      if (!usages) return undefined
      return { hasBegun: counters.every((counter, at) => hasRoom(counter, usages[at] ?? NONE)), usages }
    },
    end: (counters, failed) => run('endAttempt', counters, { failed }),
    giveBack: async (counter, ageMs) => ((await run('giveBackPoint', [counter], { ms: ageMs })) ? true : undefined),
    async consume(counters) {
      const before = await run('consumePoints', counters)
      if (!before) return undefined
      const hadRoom = !counters.some((counter, at) => isUsedUp(counter, before[at] ?? NONE))
      const after = before.map((usage) => ({ ...usage, failures: usage.failures + 1 }))
      return { hadRoom, usages: hadRoom ? after : before }
    },
  }
}

const NONE: Usage = { failures: 0, running: 0, resetSeconds: 0 }

function toUsage(counter: Counter, [failures = 0, running = 0, leftMs = 0]: number[]): Usage {
  return { failures, running, resetSeconds: secondsToReset(counter, failures, leftMs) }
}
