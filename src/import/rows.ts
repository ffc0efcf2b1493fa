import type { Format } from './arguments.ts'
import { csvReader } from './csv.ts'
import { jsonLinesReader } from './json-lines.ts'
import { LINE_BYTES_MAX, linesOf, type Line } from './lines.ts'
import { unreadable, type LineReader, type Row } from './row.ts'
import type { RowSchema } from './row-schema.ts'

const TOO_LONG = unreadable({ code: 'too_long', values: { limit: LINE_BYTES_MAX } })

/**
 * The rows of a file as they arrive, a few at a time.
 *
 * @param skipped how many rows are not wanted, from the first one on
 * @throws Impossible when the file as a whole cannot be imported
 */
export async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  format: Format,
  schema: RowSchema,
  skipped: number,
): AsyncGenerator<Row[]> {
  const reader = format === 'csv' ? csvReader(schema) : jsonLinesReader(schema.columns)
  let hasBegun = false
  let left = skipped
  for await (const arrived of linesOf(bytes)) {
    const [first] = arrived
    const isHead = !hasBegun && first !== undefined && reader.begin(first) === 'head'
    hasBegun ||= first !== undefined
    const lines = isHead ? arrived.slice(1) : arrived
    const wanted = lines.slice(left)
    left -= lines.length - wanted.length
    yield rowsIn(wanted, reader)
  }
}

function rowsIn(lines: readonly Line[], reader: LineReader): Row[] {
  const contents = reader.read(lines.flatMap(({ text }) => (text === undefined ? [] : [text]))).values()
  return lines.map(({ number, end, text }) => {
    const content = text === undefined ? TOO_LONG : contents.next().value
    if (!content) throw new Error('a line that was read has no content')
    return { line: number, end, content }
  })
}
