import { open } from 'node:fs/promises'

/**
 * Reads files into one piece of memory, which the next file overwrites: freed by the collector, one for each would pile
 * up when many come.
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
