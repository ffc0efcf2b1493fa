import { open } from 'node:fs/promises'

/**
 * Reads files into one buffer that the next file overwrites. A buffer for each file would pile up under load until the
 * garbage collector runs.
 */
export function fileMemory(): (path: string) => Promise<Buffer> {
  let memory = Buffer.alloc(0)

  return async (path) => {
    const handle = await open(path)
    try {
      const { size } = await handle.stat()
      if (size > memory.length) memory = Buffer.alloc(size)
      const { bytesRead } = await handle.read(memory, 0, size, 0)
      return memory.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }
}
