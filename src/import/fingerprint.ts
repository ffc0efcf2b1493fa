import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** The SHA-256 of a file, in hexadecimal digits: a file that is moved or copied is the same one. */
export async function fingerprintOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of file.createReadStream({ start: 0, autoClose: false })) hash.update(bytes as Buffer)
  return hash.digest('hex')
}

/** Whether a file is still the one that it was: call it again when it was read. */
export async function watchFile(file: FileHandle): Promise<() => Promise<boolean>> {
  const before = await file.stat()
  return async () => {
    const now = await file.stat()
    return now.size === before.size && now.mtimeMs === before.mtimeMs
  }
}
