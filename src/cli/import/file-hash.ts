import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** Returns the SHA-256 of a file in hexadecimal digits, which identifies it also after it was moved or copied. */
export async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of file.createReadStream({ start: 0, autoClose: false })) hash.update(bytes as Buffer)
  return hash.digest('hex')
}

/** Returns a function that checks whether the file has changed since. */
export async function watchFile(file: FileHandle): Promise<() => Promise<boolean>> {
  const before = await file.stat()
  return async () => {
    const now = await file.stat()
    return now.size === before.size && now.mtimeMs === before.mtimeMs
  }
}
