import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns whether two texts are equal, in a time that depends on neither of them but the length of the given one. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

/** Hashes have the same length, which the comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
