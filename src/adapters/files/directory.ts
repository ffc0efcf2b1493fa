import { randomUUID } from 'node:crypto'
import { copyFile, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import { makeFolder } from '../../folder.ts'
import { fileStream, folderThreads } from './folder-threads.ts'
import type { FileStorage } from './storage.ts'

const RETRY_AFTER_SECONDS = 10

/**
 * Files in a folder, for this user alone. A file has its name only when all of it is on the disk; a disk that is full or
 * broken is 503 `storage_unavailable`.
 *
 * @throws StartFailure when the folder cannot be written
 */
export function directoryStorage(folder: string): FileStorage {
  makeFolder(folder)
  const threads = folderThreads()
  const write = async (key: string, path: string, signal: AbortSignal | undefined): Promise<void> => {
    const draft = join(folder, `draft-${randomUUID()}`)
    try {
      await copyFile(path, draft)
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
  return {
    put: (key, path, _type, signal) => threads(() => write(key, path, signal), signal),
    read: (key, signal) => threads(() => read(key), signal),
    remove: (key, signal) => threads(() => rm(join(folder, key), { force: true }), signal),
    async *list(signal) {
      for await (const { name: key } of await threads(() => opendir(folder), signal)) {
        const found = await threads(() => stat(join(folder, key)).catch(undefinedIfAbsent), signal)
        if (found) yield { key, storedAtMs: found.mtimeMs }
      }
    },
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
