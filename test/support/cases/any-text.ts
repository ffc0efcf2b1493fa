import fc from 'fast-check'

/** Half of a pair of UTF-16, and no character */
const SURROGATES = { first: 0xd800, count: 0x800 }
const LAST_CODE_POINT = 0x10_ffff

const character = fc.nat(LAST_CODE_POINT - SURROGATES.count).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (text) => indexOf(text),
)

/**
 * Texts of any characters, as of `fc.string({ unit: 'binary' })`, which lists all 1.1 million of them first and takes
 * a second of CPU time for it.
 */
export function anyText(options: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...options })
}

/** Returns the index of a character, from which fast-check generates texts like `__proto__` more often. */
function indexOf(text: unknown): number {
  const point = typeof text === 'string' && /^\P{Surrogate}$/u.test(text) ? text.codePointAt(0) : undefined
  if (point === undefined) throw new TypeError('this is not one character')
  return point < SURROGATES.first ? point : point - SURROGATES.count
}
