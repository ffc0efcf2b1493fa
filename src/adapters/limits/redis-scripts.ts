// The scripts of the counters in Redis, in Lua.

/**
 * The beginning of all scripts. A counter is a hash: `failures` until `until`, of which `recent` weigh less at `eases`, and
 * `running` until `fades`. Times are those of the Redis server, which all instances share. ARGV: the milliseconds by which
 * the clock is ahead, the milliseconds for which a running attempt counts; then five values of each counter: its points and
 * milliseconds, 1 if the attempt failed there, the milliseconds after which failures weigh less (0: never), and the percentage.
 */
const READ = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
  local found = {}
  for at, key in ipairs(KEYS) do
    local fields = redis.call('HMGET', key, 'failures', 'until', 'running', 'fades', 'recent', 'eases')
    local each = { failures = tonumber(fields[1]) or 0, ['until'] = tonumber(fields[2]) or 0,
      running = tonumber(fields[3]) or 0, fades = tonumber(fields[4]) or 0,
      recent = tonumber(fields[5]) or 0, eases = tonumber(fields[6]) or 0,
      points = tonumber(ARGV[5 * at - 2]), window = tonumber(ARGV[5 * at - 1]), hasFailed = ARGV[5 * at] == '1',
      easing = tonumber(ARGV[5 * at + 1]), percent = tonumber(ARGV[5 * at + 2]) }
    if each['until'] <= now then each.failures, each.recent = 0, 0 end
    if each.recent > 0 and each.eases <= now then
      each.failures = math.min(each.points - 1, each.failures - each.recent * (100 - each.percent) / 100)
      each.recent = 0
    end
    if each.fades <= now then each.running = 0 end
    found[at] = each
  end
  local function countFailure(each)
    if each.failures == 0 then each['until'] = now + each.window end
    each.failures = each.failures + 1
    if each.easing == 0 then return end
    if each.recent == 0 then each.eases = now + each.easing end
    each.recent = each.recent + 1
  end
  local function removeFailures(each, count)
    each.failures = math.max(0, each.failures - count)
    each.recent = math.min(each.recent, each.failures)
  end
  local function write(at, each)
    local key = KEYS[at]
    if each.failures + each.running == 0 then return redis.call('DEL', key) end
    redis.call('HSET', key, 'failures', each.failures, 'until', each['until'], 'running', each.running, 'fades', each.fades)
    if each.easing > 0 then redis.call('HSET', key, 'recent', each.recent, 'eases', each.eases) end
    redis.call('PEXPIRE', key, math.max(each['until'], each.fades) - now)
  end
  local function usages()
    local flat = {}
    for _, each in ipairs(found) do
      local reset = each['until']
      if each.recent > 0 then reset = math.min(reset, each.eases) end
      for _, value in ipairs({ each.failures, each.running, reset - now }) do table.insert(flat, value) end
    end
    return flat
  end`

export const SCRIPTS = {
  begin: `${READ}
  local before = usages()
  for _, each in ipairs(found) do if each.failures + each.running >= each.points then return before end end
  for at, each in ipairs(found) do
    if each.running == 0 then each.fades = now + ARGV[2] end
    each.running = each.running + 1
    write(at, each)
  end
  return before`,
  end: `${READ}
  for at, each in ipairs(found) do
    each.running = math.max(0, each.running - 1)
    if each.hasFailed then countFailure(each) end
    write(at, each)
  end
  return usages()`,
  consume: `${READ}
  local before = usages()
  for _, each in ipairs(found) do if each.failures >= each.points then return before end end
  for at, each in ipairs(found) do
    countFailure(each)
    write(at, each)
  end
  return before`,
  /** ARGV[2] is the age of the failure in milliseconds. */
  giveBack: `${READ}
  local each = found[1]
  if each.failures > 0 and each['until'] - each.window <= now - ARGV[2] then
    removeFailures(each, 1)
    write(1, each)
  end
  return usages()`,
  /** The first key is the counter that allows the credit. ARGV[2] are the failures to remove from each of the others. */
  credit: `${READ}
  local once = found[1]
  if once.failures >= once.points then return usages() end
  countFailure(once)
  write(1, once)
  for at = 2, #found do
    local each = found[at]
    if each.failures > 0 then
      removeFailures(each, ARGV[2])
      write(at, each)
    end
  end
  return usages()`,
}
