import type { Readable } from 'node:stream'

/**
 * Where files are kept, by key. What is put is there when `put` resolves, and survives the end of the process. A call
 * stops when its signal aborts, as far as it can.
 */
export type FileStorage = {
  put(key: string, path: string, type: string, signal?: AbortSignal): Promise<void>
  /** Undefined: there is none of this key. */
  read(key: string, signal?: AbortSignal): Promise<Readable | undefined>
  /** Does nothing where there is none. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  list(signal?: AbortSignal): AsyncIterable<Readonly<{ key: string; storedAtMs: number }>>
}
