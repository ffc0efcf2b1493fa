import { parseJson } from '../http/json.ts'
import { checkNames, type Columns } from './columns.ts'
import { unreadable, type LineReader, type Row } from './row.ts'

const UNREADABLE = unreadable('wrong_format')
const NO_OBJECT = unreadable('wrong_type')

/** Reads lines that are a JSON object each. What is null or empty is absent, as it is in CSV. */
export function jsonLinesReader(columns: Columns): LineReader {
  return {
    begin({ text = '' }) {
      const content = contentOf(text)
      if ('fields' in content) checkNames(Object.keys(content.fields), columns)
      return 'row'
    },
    read: (lines) => lines.map(contentOf),
  }
}

function contentOf(line: string): Row['content'] {
  let value: unknown
  try {
    value = parseJson(Buffer.from(line))
  } catch {
    return UNREADABLE
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NO_OBJECT
  return { fields: Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== '')) }
}
