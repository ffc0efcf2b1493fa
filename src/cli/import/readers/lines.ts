import type { FieldFailure, FieldFailures } from '../../../domain/failure.ts'

/** One line of a file, without its line break. */
export type Line = Readonly<{
  /** Starts at 1 */
  number: number
  /** undefined: too long, and not in memory */
  text: string | undefined
  /** The offset of its end in the file */
  end: number
}>

export type Row = Readonly<{
  line: number
  /** The offset of its end in the file */
  end: number
  /** Its fields by column, or why it cannot be read */
  content: { fields: Readonly<Record<string, unknown>> } | { failures: FieldFailures }
}>

/** Reads consecutive lines. */
export type LineReader = {
  /**
   * Reads the first line, and returns whether it is a header or a row.
   *
   * @throws CommandError if the whole file cannot be imported
   */
  begin(first: Line): 'head' | 'row'
  read(lines: readonly string[]): Row['content'][]
}

/** Returns the content of a row that is invalid as a whole. */
export function rejectedContent(failure: FieldFailure): Row['content'] {
  return { failures: { row: [failure] } }
}

/** More than ten times the size of any account */
export const LINE_BYTES_MAX = 16_384

const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'

/** Yields the lines of a file that are not blank. At most one chunk and one line are in memory. */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const buildLine = createLineBuilder()
  let partial: Buffer[] = []
  let partialBytes = 0
  for await (const chunk of bytes) {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(buildLine([...partial, chunk.subarray(start, end)], partialBytes + end - start, 1))
      partial = []
      partialBytes = 0
      start = end + 1
    }
    partialBytes += chunk.length - start
    if (partialBytes > LINE_BYTES_MAX) partial = []
    else partial.push(chunk.subarray(start)) // a copy of the list for each chunk takes quadratic time
    yield lines.filter(isNotBlank)
  }
  if (partialBytes > 0) yield [buildLine(partial, partialBytes, 0)].filter(isNotBlank)
}

function createLineBuilder(): (parts: Buffer[], bytes: number, endBytes: number) => Line {
  let number = 0
  let end = 0
  return (parts, bytes, endBytes) => {
    number++
    end += bytes + endBytes
    const text = bytes > LINE_BYTES_MAX ? undefined : Buffer.concat(parts).toString().replace(/\r$/, '')
    return { number, end, text: number === 1 && text?.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text }
  }
}

function isNotBlank({ text }: Line): boolean {
  return text?.trim() !== ''
}
