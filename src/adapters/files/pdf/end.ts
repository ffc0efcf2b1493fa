import type { FileHandle } from 'node:fs/promises'

const MARK = '%%EOF'
const TAIL_BYTES = 1024

/** Whether the end of a PDF is there. Readers look for it in the last kilobyte, as many programs write behind it. */
export async function endsAsPdf(handle: FileHandle, bytes: number): Promise<boolean> {
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, bytes))
  await handle.read(tail, 0, tail.length, bytes - tail.length)
  return tail.includes(MARK)
}
