import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fairQueue } from '../queues/fair-queue.ts'

/**
 * Runs calls to the file system of a folder, some at a time; one whose signal has aborted is not begun. A call to a
 * network drive that hangs blocks its thread until the drive is back. libuv has four threads for everything that a
 * process does with files, so a folder gets two of them.
 */
export type FolderThreads = <Result>(call: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>

const THREADS_MAX = 2
const UNLIMITED = { waitingPerOwnerMax: Infinity, waitingMax: Infinity, retryAfterSeconds: 1 }
const CHUNK_BYTES = 64 * 1024

export function folderThreads(): FolderThreads {
  const queue = fairQueue({ ...UNLIMITED, workers: THREADS_MAX })
  return (call, abandoned) => queue.run({ owner: 'the folder', abandoned }, call)
}

/** Reads an open file and closes it. A thread is occupied only while a chunk is read, not while the reader is slow. */
export function fileStream(handle: FileHandle, threads: FolderThreads): Readable {
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
