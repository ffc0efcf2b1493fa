/** The blocks in which marks stand on letters of the alphabets that names are written in */
const [FIRST, LAST] = [0x300, 0x8ff]
const TATWEEL = '\u0640'
const letters = Array.from({ length: LAST - FIRST + 1 }, (_, at) => String.fromCodePoint(FIRST + at))
const MARKS = letters.filter((letter) => letter === TATWEEL || /\p{Mn}/u.test(letter)).join('')
const VARIANTS = { from: 'ٱىیکة', to: 'اييكه' }

/** A column of texts as the domain's `folded` makes them. What has no counterpart in `translate` goes. */
export function foldedSql(column: string): string {
  return `translate(lower(normalize(${column}, NFKD)), '${VARIANTS.from}${MARKS}', '${VARIANTS.to}')`
}
