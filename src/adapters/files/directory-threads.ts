import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fairQueue } from '../queues/fair-queue.ts'

/**
 * Runs file system calls of a directory, a few at a time. A call whose signal has aborted is not started. A call to a
 * network drive that hangs blocks its thread until the drive recovers, and libuv has four threads for the file access
 * of a whole process, so a directory gets two of them.
 */
export type DirectoryThreads = <Result>(call: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>

const THREADS_MAX = 2
const CHUNK_BYTES = 64 * 1024

export function createDirectoryThreads(): DirectoryThreads {
  const queue = fairQueue({ workers: THREADS_MAX, waitingPerOwnerMax: Infinity, waitingMax: Infinity })
  return (call, abandoned) => queue.run({ owner: 'the folder', abandoned }, call)
}

/**
 * Reads an open file and closes it. A thread is occupied only while a chunk is read, not while a slow client downloads
 * it.
 */
export function createFileStream(handle: FileHandle, threads: DirectoryThreads): Readable {
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
