import { randomUUID } from 'node:crypto'
import { copyFile, open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import { makeDirectory } from '../../lib/directory.ts'
import { fairQueue } from '../queues/fair-queue.ts'
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
  const queue = fairQueue({ workers: THREADS_MAX, waitingPerOwnerMax: Infinity, waitingMax: Infinity })
  const threads: DirectoryThreads = (call, abandoned) => queue.run({ owner: 'the folder', abandoned }, call)
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
    readMarker: (signal) => threads(() => marker.readMarker().catch(fail), signal),
    writeMarker: (text, expected, signal) => threads(() => marker.writeMarker(text, expected).catch(fail), signal),
    hasConditionalWrites: () => Promise.resolve(true),
  }
}

function fail(cause: unknown): never {
  throw new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}

/**
 * Runs file system calls of a directory, a few at a time. A call whose signal has aborted is not started. A call to a
 * network drive that hangs blocks its thread until the drive recovers, and libuv has four threads for the file access
 * of a whole process, so a directory gets two of them.
 */
type DirectoryThreads = <Result>(call: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>

const THREADS_MAX = 2
const CHUNK_BYTES = 64 * 1024

/** Reads an open file and closes it. A thread is occupied only while a chunk is read, however slow the client is. */
function createFileStream(handle: FileHandle, threads: DirectoryThreads): Readable {
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      threads(() => handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES)).then(
        ({ buffer, bytesRead }) => this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead)),
        (error: unknown) => this.destroy(error as Error),
      )
    },
    destroy(error, callback) {
      threads(() => handle.close()).then(
        () => callback(error),
        (failure: unknown) => callback(error ?? (failure as Error)),
      )
    },
  })
}
