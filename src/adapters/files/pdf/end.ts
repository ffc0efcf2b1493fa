import type { FileHandle } from 'node:fs/promises'

const END_OF_FILE = '%%EOF'
const TAIL_BYTES = 1024

/**
 * Returns whether the end marker of a PDF is present. Readers search the last kilobyte, because many programs append
 * data.
 */
export async function endsAsPdf(handle: FileHandle, bytes: number): Promise<boolean> {
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, bytes))
  await handle.read(tail, 0, tail.length, bytes - tail.length)
  return tail.includes(END_OF_FILE)
}
