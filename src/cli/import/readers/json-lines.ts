import { parseJson } from '../../../contract/json.ts'
import { checkNames, type Columns } from './columns.ts'
import { rejectedContent, type LineReader, type Row } from './lines.ts'

const MALFORMED = rejectedContent('wrong_format')
const NOT_AN_OBJECT = rejectedContent('wrong_type')

/** Reads lines with one JSON object each. Null and empty values count as absent, as in CSV. */
export function jsonLinesReader(columns: Columns): LineReader {
  return {
    begin({ text = '' }) {
      const content = parseLine(text)
      if ('fields' in content) checkNames(Object.keys(content.fields), columns)
      return 'row'
    },
    read: (lines) => lines.map(parseLine),
  }
}

function parseLine(line: string): Row['content'] {
  let value: unknown
  try {
    value = parseJson(Buffer.from(line))
  } catch {
    return MALFORMED
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_AN_OBJECT
  return { fields: Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== '')) }
}
