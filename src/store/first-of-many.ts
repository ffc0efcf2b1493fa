/** Whether nothing alike was seen whose time is not over yet. What is new counts as seen until `untilMs`. */
export type IsFirst = (key: string, untilMs: number) => boolean

/** Beyond that the oldest is forgotten, so that no flood of keys fills the memory. */
const KEYS_MAX = 10_000

export function firstOfMany(nowMs: () => number): IsFirst {
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
