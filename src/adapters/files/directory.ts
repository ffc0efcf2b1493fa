import { randomUUID } from 'node:crypto'
import { copyFile, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { makeFolder } from '../../folder.ts'
import { keysWith } from './keys.ts'
import type { FileStorage } from './storage.ts'

const RETRY_AFTER_SECONDS = 10
/** What file systems put into folders by themselves. */
const OF_THE_SYSTEM = /^(\.|lost\+found$)/

/**
 * Files in a folder, for this user alone. A file has its name only when all of it is on the disk; a disk that is full or
 * broken is 503 `storage_unavailable`.
 *
 * @throws StartFailure when the folder cannot be written
 */
export function directoryStorage(folder: string): FileStorage {
  makeFolder(folder)
  const keys = keysWith('')
  const write = async (key: string, fill: (draft: string) => Promise<void>): Promise<void> => {
    const draft = join(folder, `draft-${randomUUID()}`)
    try {
      await fill(draft)
      await flush(draft, 0o600)
      await rename(draft, join(folder, key))
      await flush(folder)
    } catch (error) {
      await rm(draft, { force: true })
      throw unavailable(error)
    }
  }
  return {
    place: `The folder ${folder}`,
    newKey: keys.newKey,
    isOwnKey: keys.isOwn,
    put: (key, path) => write(key, (draft) => copyFile(path, draft)),
    async read(key) {
      try {
        const handle = await open(join(folder, key)).catch(undefinedIfAbsent)
        if (!handle) await stat(folder) // which lacks none of its files when it is not there itself
        return handle?.createReadStream()
      } catch (error) {
        throw unavailable(error)
      }
    },
    remove: (key) => rm(join(folder, key), { force: true }),
    async *list() {
      for await (const { name: key } of await opendir(folder)) {
        if (key === keys.marker || OF_THE_SYSTEM.test(key)) continue
        const found = await stat(join(folder, key)).catch(undefinedIfAbsent)
        if (found) yield { key, storedAtMs: found.mtimeMs }
      }
    },
    async readMarker() {
      try {
        return await readFile(join(folder, keys.marker), 'utf8').catch(undefinedIfAbsent)
      } catch (error) {
        throw unavailable(error)
      }
    },
    writeMarker: (text) => write(keys.marker, (draft) => writeFile(draft, text)),
  }
}

/** Waits until a file or the names in a folder are on the disk. */
async function flush(path: string, mode?: number): Promise<void> {
  const handle = await open(path)
  try {
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unavailable(cause: unknown): Failure {
  return new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}

function undefinedIfAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
