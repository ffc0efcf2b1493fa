/** Chance that a seed decides: the same seed makes the same choices. */
export type Random = {
  /** From 0 to below 1 */
  next(): number
  /** A whole number from `min` to `max` */
  int(min: number, max: number): number
  /** Whether something that happens `share` of the time happens now */
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** Mulberry32: fast, and good enough to choose test data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error('there is nothing to pick from')
      return items[int(0, items.length - 1)] as Item // which is there
    },
  }
}
