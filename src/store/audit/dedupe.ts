/** Returns whether a key is new. A new key is then remembered until `untilMs`. */
export type IsFirst = (key: string, untilMs: number) => boolean

/** The oldest key is removed beyond this number, which limits the memory. */
const KEYS_MAX = 10_000

export function dedupe(nowMs: () => number): IsFirst {
  const seen = new Map<string, number>()
  return (key, untilMs) => {
    if ((seen.get(key) ?? 0) > nowMs()) return false
    seen.delete(key)
    seen.set(key, untilMs)
    const [oldest = key] = seen.keys()
    if (seen.size > KEYS_MAX) seen.delete(oldest)
    return true
  }
}
