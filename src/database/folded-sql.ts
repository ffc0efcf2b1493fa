/** The code points that include the combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters */
const [FIRST, LAST] = [0x300, 0x8ff]
const TATWEEL = '\u0640'
const letters = Array.from({ length: LAST - FIRST + 1 }, (_, at) => String.fromCodePoint(FIRST + at))
const MARKS = letters.filter((letter) => letter === TATWEEL || /\p{Mn}/u.test(letter)).join('')
const VARIANTS = { from: 'ٱىیکة', to: 'اييكه' }

/**
 * Returns the SQL form of `foldText` in src/domain/lookups/lookups.ts. `translate` removes the marks, as they have no
 * counterpart.
 */
export function foldedSql(column: string): string {
  return `translate(lower(normalize(${column}, NFKD)), '${VARIANTS.from}${MARKS}', '${VARIANTS.to}')`
}
