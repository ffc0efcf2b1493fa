import type { Readable } from 'node:stream'

/**
 * Where files are kept, by key. What is put is there when `put` resolves, and survives the end of the process. A call
 * stops when its signal aborts, as far as it can.
 */
export type FileStorage = {
  /** What the store is called in messages, for example `The bucket files (prefix tawthiq/)`. */
  readonly place: string
  /** A key for a new file. */
  newKey(): string
  /** Whether a key has the shape that only this service gives to its keys. */
  isOwnKey(key: string): boolean
  put(key: string, path: string, type: string, signal?: AbortSignal): Promise<void>
  /** Undefined: there is none of this key. */
  read(key: string, signal?: AbortSignal): Promise<Readable | undefined>
  /** Does nothing where there is none. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /** Everything in the folder, or below the prefix, except the marker. Keys may belong to others. */
  list(signal?: AbortSignal): AsyncIterable<Readonly<{ key: string; storedAtMs: number }>>
  /** The text of the object that binds the store to a database; undefined where there is none. */
  readMarker(signal?: AbortSignal): Promise<string | undefined>
  writeMarker(text: string, signal?: AbortSignal): Promise<void>
}
