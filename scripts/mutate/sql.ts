/** A change of an SQL text: the characters from `from` are replaced. */
export type SqlChange = Readonly<{ from: number; before: string; after: string }>

const SQL = /\b(SELECT|UPDATE|DELETE FROM|INSERT INTO|WHERE)\b|^\s*\w+\.\w+ (=|IS) /
const OPERAND = String.raw`(?:[\w.]+|\$\d+|\$\{\w+\}|'[^']*')(?:::[\w"]+(?:\[\])?)?(?: [-+] interval '[^']*')?`
const COMPARISON = String.raw`${OPERAND}(?: (?:=|<>|<=|>=|<|>|IS DISTINCT FROM) ${OPERAND}| IS (?:NOT )?NULL)`
const CONDITION = String.raw`(?:${COMPARISON}|\$\{\w+\})`
const END = String.raw`(?=\s*(?:AND|OR|THEN|RETURNING|FOR|ORDER|LIMIT|ON|UNION|\)|\\?${'`'}|$))`

/** Pairs of a pattern and its replacement */
const CHANGES: readonly (readonly [RegExp, (found: string) => string])[] = [
  // The condition remains, because every parameter of a query must occur in it.
  [new RegExp(String.raw`(?<=\b(?:AND|WHERE|WHEN)\s+)${CONDITION}${END}`, 'g'), (found) => `(${found} OR TRUE)`],
  [/\bIS NOT NULL\b/g, () => 'IS NULL'],
  [/\bIS NULL\b/g, () => 'IS NOT NULL'],
  [/\bNOT EXISTS\b/g, () => 'EXISTS'],
  [/ FOR (?:NO KEY )?(?:UPDATE|SHARE)(?: OF [\w, ]+)?/g, () => ''],
  [/ DESC\b/g, () => ' ASC'],
  [/ OR /g, () => ' AND '],
]

/** Lists changes of a template or text, if it is SQL: a condition that is dropped or inverted, a lock that is not taken. */
export function changeSql(text: string): SqlChange[] {
  if (!SQL.test(text)) return []
  return CHANGES.flatMap(([pattern, replace]) =>
    [...text.matchAll(pattern)].map((found) => ({
      from: found.index,
      before: found[0],
      after: replace(found[0]),
    })),
  )
}
