/** One line of a file, without its end. */
export type Line = Readonly<{
  /** From 1 */
  number: number
  /** Undefined: it is too long, and was not kept */
  text: string | undefined
  /** The byte behind it, from the beginning of the file */
  end: number
}>

/** Nobody's account takes a tenth of this. */
export const LINE_BYTES_MAX = 16_384

const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'

/** The lines of a file that are not blank, as they arrive. No more is in memory than a chunk and a line. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const take = lineTaker()
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of bytes) {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(take([...held, chunk.subarray(start, end)], heldBytes + end - start, 1))
      held = []
      heldBytes = 0
      start = end + 1
    }
    heldBytes += chunk.length - start
    held = heldBytes > LINE_BYTES_MAX ? [] : [...held, chunk.subarray(start)]
    yield lines.filter(isFilled)
  }
  if (heldBytes > 0) yield [take(held, heldBytes, 0)].filter(isFilled)
}

function lineTaker(): (parts: Buffer[], bytes: number, endBytes: number) => Line {
  let number = 0
  let end = 0
  return (parts, bytes, endBytes) => {
    number++
    end += bytes + endBytes
    const text = bytes > LINE_BYTES_MAX ? undefined : Buffer.concat(parts).toString().replace(/\r$/, '')
    return { number, end, text: number === 1 && text?.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text }
  }
}

function isFilled({ text }: Line): boolean {
  return text?.trim() !== ''
}
