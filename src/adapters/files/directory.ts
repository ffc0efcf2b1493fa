import { randomUUID } from 'node:crypto'
import { copyFile, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import { makeDirectory } from '../../lib/directory.ts'
import { createFileStream, createDirectoryThreads } from './directory-threads.ts'
import { flush, undefinedIfAbsent } from './directory-files.ts'
import { createMarkerFile } from './marker-file.ts'
import { MARKER, randomKeys, type FileStorage } from './storage.ts'

const RETRY_AFTER_SECONDS = 10
/** Entries that file systems create by themselves. */
const SYSTEM_ENTRY = /^(\.|lost\+found$)/

/**
 * Stores files in a directory with mode 0600. A file gets its name only after all of it is on the disk. A disk that is
 * full or broken causes 503 `storage_unavailable`.
 *
 * @throws StartupError if the directory is not writable
 */
export function directoryStorage(directory: string): FileStorage {
  makeDirectory(directory, 'FILES_DIR')
  const threads = createDirectoryThreads()
  const marker = createMarkerFile(directory, MARKER)
  const write = async (key: string, path: string, signal?: AbortSignal): Promise<void> => {
    const draft = join(directory, `draft-${randomUUID()}`)
    try {
      await copyFile(path, draft)
      await flush(draft, 0o600)
      signal?.throwIfAborted() // the caller has given up on this file
      await rename(draft, join(directory, key))
      await flush(directory)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
  const read = async (key: string): Promise<Readable | undefined> => {
    const handle = await open(join(directory, key)).catch(undefinedIfAbsent)
    if (!handle) await stat(directory) // a missing directory is an error, not a missing file
    return handle && createFileStream(handle, threads)
  }
  return {
    description: `The directory ${directory}`,
    ...randomKeys(''),
    put: (key, path, _type, signal) => threads(() => write(key, path, signal).catch(fail), signal),
    read: (key, signal) => threads(() => read(key).catch(fail), signal),
    remove: (key, signal) => threads(() => rm(join(directory, key), { force: true }), signal),
    async *list(signal) {
      for await (const { name: key } of await threads(() => opendir(directory), signal)) {
        if (key === MARKER || SYSTEM_ENTRY.test(key)) continue
        const stats = await threads(() => stat(join(directory, key)).catch(undefinedIfAbsent), signal)
        if (stats) yield { key, storedAtMs: stats.mtimeMs }
      }
    },
    readMarker: (signal) => threads(() => marker.read().catch(fail), signal),
    writeMarker: (text, expected, signal) => threads(() => marker.write(text, expected).catch(fail), signal),
    hasConditionalWrites: () => Promise.resolve(true),
  }
}

function fail(cause: unknown): never {
  throw new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}
