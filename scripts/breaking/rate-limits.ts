import { isNode, type Node } from './json.ts'
import type { Break, Documents } from './operations.ts'

const EXTENSION = 'x-tawthiq-rate-limits'

/** Returns the rate limits that accept fewer requests than before. Releases before 0.3.0 do not list their limits. */
export function loweredRateLimits({ released, current }: Documents): Break[] {
  const [before, after] = [released[EXTENSION], current[EXTENSION]]
  if (!isNode(before) || !isNode(after)) return []
  return Object.entries(after).flatMap(([name, limit]) => {
    const known = before[name]
    const location = `#/${EXTENSION}/${name}`
    if (!isNode(known) || !isNode(limit))
      return [{ rule: 'rate-limit-added', location, message: `The rate limit \`${name}\` is new.` }]
    if (!isLower(known, limit)) return []
    const message = `The rate limit \`${name}\` changed from ${describe(known)} to ${describe(limit)}.`
    return [{ rule: 'rate-limit-lowered', location, message }]
  })
}

/** A longer window with the same limit accepts fewer requests, and so does a longer delay. */
function isLower(before: Node, after: Node): boolean {
  const rate = ({ limit, window_seconds: seconds }: Node): number => Number(limit) / Number(seconds)
  const delays = [delaysOf(before), delaysOf(after)] as const
  const isDelayed = delays[1].some((delay, at) => delay > (delays[0][at] ?? delays[0].at(-1) ?? 0))
  return Number(after['limit']) < Number(before['limit']) || rate(after) < rate(before) || isDelayed
}

function delaysOf({ delays_seconds: delays }: Node): number[] {
  return Array.isArray(delays) ? delays.map(Number) : []
}

function describe({ limit, window_seconds: seconds, delays_seconds: delays }: Node): string {
  if (Array.isArray(delays)) return `delays of ${delays.join(', ')} s`
  return `${String(limit)} in ${String(seconds)} s`
}
