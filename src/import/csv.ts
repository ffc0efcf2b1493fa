import { parse } from 'csv-parse/sync'
import { Impossible } from '../command-line/errors.ts'
import type { FormSchema } from '../http/form-schema.ts'
import { formValues } from '../http/form-values.ts'
import { checkColumns } from './columns.ts'
import { LINE_BYTES_MAX } from './lines.ts'
import { unreadable, type LineReader, type Row } from './row.ts'
import type { RowSchema } from './row-schema.ts'

const OPTIONS = { relax_column_count: true, record_delimiter: '\n' }

/** What databases and spreadsheets write for true and false */
const BOOLEANS: Readonly<Record<string, string>> = { t: 'true', yes: 'true', f: 'false', no: 'false' }
const BOOLEAN_COLUMNS = ['phone_verified', 'email_verified']

const UNREADABLE = unreadable('wrong_format')

/**
 * Reads CSV (RFC 4180) whose first line names the columns. No column holds a line end, so each line is a row: a quote
 * that is not closed spoils its own row and not those behind it.
 */
export function csvReader({ columns, form }: RowSchema): LineReader {
  let names: readonly string[] = []

  const contentOf = (values: readonly string[]): Row['content'] => {
    const limit = names.length
    if (values.length > limit) return unreadable({ code: 'too_many', values: { limit } })
    if (values.length < limit) return unreadable({ code: 'too_few', values: { limit } })
    const filled = names.flatMap((name, index) => (values[index] ? [[name, values[index]] as const] : []))
    return { fields: withBooleans(Object.fromEntries(filled), form) }
  }
  return {
    begin({ text }) {
      names = headOf(text)
      checkColumns(names, columns)
      return 'head'
    },
    read: (lines) => recordsIn(lines).map((values) => (values ? contentOf(values) : UNREADABLE)),
  }
}

function headOf(text: string | undefined): string[] {
  if (text === undefined) throw new Impossible(`The first line has more than ${LINE_BYTES_MAX} bytes.`)
  if (/[\0\uFFFD]/.test(text)) throw new Impossible('The file is not UTF-8. Save it as CSV in UTF-8.')
  const [names] = recordsIn([text])
  if (!names) throw new Impossible('The first line is no line of CSV.')
  return names.map((name) => name.trim())
}

/** All lines in one go, which is six times faster, unless one of them is not right by itself. */
function recordsIn(lines: readonly string[]): (string[] | undefined)[] {
  const records = recordsOf(lines.join('\n'))
  if (records?.length === lines.length) return records
  return lines.map((line) => {
    const own = recordsOf(line)
    return own?.length === 1 ? own[0] : undefined
  })
}

function recordsOf(text: string): string[][] | undefined {
  try {
    return parse(text, OPTIONS)
  } catch {
    return undefined
  }
}

/** All columns are texts but these. */
function withBooleans(texts: Record<string, string>, form: FormSchema): Record<string, unknown> {
  const words = BOOLEAN_COLUMNS.flatMap((name) => {
    const word = texts[name]?.trim().toLowerCase()
    return word === undefined ? [] : [{ name, value: BOOLEANS[word] ?? word }]
  })
  return words.length === 0 ? texts : { ...texts, ...formValues(form, words) }
}
