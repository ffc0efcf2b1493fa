import { randomUUID } from 'node:crypto'
import { copyFile, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import { makeFolder } from '../../folder.ts'
import { fileStream, folderThreads } from './folder-threads.ts'
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
  const threads = folderThreads()
  const keys = keysWith('')
  const write = async (key: string, fill: (draft: string) => Promise<void>, signal?: AbortSignal): Promise<void> => {
    const draft = join(folder, `draft-${randomUUID()}`)
    try {
      await fill(draft)
      await flush(draft, 0o600)
      signal?.throwIfAborted() // nobody will know of a file that comes too late
      await rename(draft, join(folder, key))
      await flush(folder)
    } catch (error) {
      await rm(draft, { force: true })
      throw unavailable(error)
    }
  }
  const read = async (key: string): Promise<Readable | undefined> => {
    try {
      const handle = await open(join(folder, key)).catch(undefinedIfAbsent)
      if (!handle) await stat(folder) // which lacks none of its files when it is not there itself
      return handle && fileStream(handle, threads)
    } catch (error) {
      throw unavailable(error)
    }
  }
  const readText = async (key: string): Promise<string | undefined> => {
    try {
      return await readFile(join(folder, key), 'utf8').catch(undefinedIfAbsent)
    } catch (error) {
      throw unavailable(error)
    }
  }
  return {
    place: `The folder ${folder}`,
    newKey: keys.newKey,
    isOwnKey: keys.isOwn,
    put: (key, path, _type, signal) => threads(() => write(key, (draft) => copyFile(path, draft), signal), signal),
    read: (key, signal) => threads(() => read(key), signal),
    remove: (key, signal) => threads(() => rm(join(folder, key), { force: true }), signal),
    async *list(signal) {
      for await (const { name: key } of await threads(() => opendir(folder), signal)) {
        if (key === keys.marker || OF_THE_SYSTEM.test(key)) continue
        const found = await threads(() => stat(join(folder, key)).catch(undefinedIfAbsent), signal)
        if (found) yield { key, storedAtMs: found.mtimeMs }
      }
    },
    readMarker: (signal) => threads(() => readText(keys.marker), signal),
    writeMarker: (text, signal) => threads(() => write(keys.marker, (draft) => writeFile(draft, text), signal), signal),
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
