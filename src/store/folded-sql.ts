const rangeOf = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at))

/** Marks on Latin letters, tatweel, and the vowel signs and other marks of Arabic */
const MARKS = [rangeOf(0x300, 0x36f), '\u0640', rangeOf(0x610, 0x61a), rangeOf(0x64b, 0x65f), '\u0670'].join('')
const VARIANTS = { from: 'ٱىیکة', to: 'اييكه' }

/** A text column as the domain's `folded` makes it: what has no counterpart in `translate` goes. */
export function foldedSql(column: string): string {
  return `translate(lower(normalize(${column}, NFKD)), '${VARIANTS.from}${MARKS}', '${VARIANTS.to}')`
}
