import { parse } from 'csv-parse/sync'
import { CommandError } from '../../program.ts'
import type { FormSchema } from '../../../contract/forms/form-schema.ts'
import { parseForm } from '../../../contract/forms/form-values.ts'
import { checkColumns } from './columns.ts'
import { LINE_BYTES_MAX, rejectedContent, type LineReader, type Row } from './lines.ts'
import type { RowSchema } from '../rows/row-schema.ts'

const OPTIONS = { relax_column_count: true, record_delimiter: '\n' }

/** Other spellings of true and false, in databases and spreadsheets */
const BOOLEANS: Readonly<Record<string, string>> = { t: 'true', yes: 'true', f: 'false', no: 'false' }
const BOOLEAN_COLUMNS = ['phone_verified', 'email_verified']

const MALFORMED = rejectedContent('wrong_format')

/**
 * Reads CSV (RFC 4180) with column names in the first line. No value contains a line break, so each line is a row, and an
 * unclosed quote affects only its own row.
 */
export function csvReader({ columns, form }: RowSchema): LineReader {
  let names: readonly string[] = []

  const toContent = (values: readonly string[]): Row['content'] => {
    const limit = names.length
    if (values.length > limit) return rejectedContent({ code: 'too_many', values: { limit } })
    if (values.length < limit) return rejectedContent({ code: 'too_few', values: { limit } })
    const nonEmpty = names.flatMap((name, index) => (values[index] ? [[name, values[index]] as const] : []))
    return { fields: convertBooleans(Object.fromEntries(nonEmpty), form) }
  }
  return {
    begin({ text }) {
      names = parseHeader(text)
      checkColumns(names, columns)
      return 'head'
    },
    read: (lines) => parseLines(lines).map((values) => (values ? toContent(values) : MALFORMED)),
  }
}

function parseHeader(text: string | undefined): string[] {
  if (text === undefined) throw new CommandError(`The first line is longer than ${LINE_BYTES_MAX} bytes.`)
  if (/[\0\uFFFD]/.test(text)) throw new CommandError('The file is not UTF-8. Save it as CSV in UTF-8.')
  const [names] = parseLines([text])
  if (!names) throw new CommandError('The first line is not valid CSV.')
  return names.map((name) => name.trim())
}

/** Parses all lines at once, which is six times faster, unless one of them is invalid. */
function parseLines(lines: readonly string[]): (string[] | undefined)[] {
  const records = parseRecords(lines.join('\n'))
  if (records?.length === lines.length) return records
  return lines.map((line) => {
    const own = parseRecords(line)
    return own?.length === 1 ? own[0] : undefined
  })
}

function parseRecords(text: string): string[][] | undefined {
  try {
    return parse(text, OPTIONS)
  } catch {
    return undefined
  }
}

function convertBooleans(texts: Record<string, string>, form: FormSchema): Record<string, unknown> {
  const words = BOOLEAN_COLUMNS.flatMap((name) => {
    const word = texts[name]?.trim().toLowerCase()
    return word === undefined ? [] : [{ name, value: BOOLEANS[word] ?? word }]
  })
  return words.length === 0 ? texts : { ...texts, ...parseForm(form, words) }
}
