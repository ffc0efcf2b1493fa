import type { Readable } from 'node:stream'

/** Where files are kept, by key. What is put is there when `put` resolves, and survives the end of the process. */
export type FileStorage = {
  put(key: string, path: string, type: string): Promise<void>
  /** Undefined: there is none of this key. */
  read(key: string): Promise<Readable | undefined>
  /** Does nothing where there is none. */
  remove(key: string): Promise<void>
  list(): AsyncIterable<Readonly<{ key: string; storedAtMs: number }>>
}
