import { CommandError } from '../../program.ts'
import type { Format } from '../arguments.ts'
import { csvReader } from './csv.ts'
import { jsonLinesReader } from './json-lines.ts'
import { LINE_BYTES_MAX, readLines, rejectedContent, type Line, type LineReader, type Row } from './lines.ts'
import type { RowSchema } from '../rows/row-schema.ts'

const TOO_LONG = rejectedContent({ code: 'too_long', values: { limit: LINE_BYTES_MAX } })

/**
 * Yields the rows of a file, a few at a time.
 *
 * @throws CommandError if the whole file cannot be imported
 */
export async function* readRows(
  bytes: AsyncIterable<Buffer>,
  format: Format,
  schema: RowSchema,
  skipped: number,
): AsyncGenerator<Row[]> {
  const reader = format === 'csv' ? csvReader(schema) : jsonLinesReader(schema.columns)
  let hasBegun = false
  let toSkip = skipped
  for await (const chunk of readLines(bytes)) {
    const [first] = chunk
    const isHead = !hasBegun && first !== undefined && reader.begin(first) === 'head'
    hasBegun ||= first !== undefined
    const lines = isHead ? chunk.slice(1) : chunk
    const wanted = lines.slice(toSkip)
    toSkip -= lines.length - wanted.length
    yield toRows(wanted, reader)
  }
  if (!hasBegun && format === 'csv') throw new CommandError('The file is empty. Its first line must name the columns.')
}

function toRows(lines: readonly Line[], reader: LineReader): Row[] {
  const contents = reader.read(lines.flatMap(({ text }) => (text === undefined ? [] : [text]))).values()
  return lines.map(({ number, end, text }) => {
    const content = text === undefined ? TOO_LONG : contents.next().value
    if (!content) throw new Error('a line that was read has no content')
    return { line: number, end, content }
  })
}
