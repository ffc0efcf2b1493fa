import type { Readable } from 'node:stream'

/**
 * Stores files by key. A file is durable when `put` resolves. A call stops when its signal aborts, as far as possible.
 */
export type FileStorage = {
  /** Names the store in messages, for example `The bucket files (prefix tawthiq/)`. */
  readonly description: string
  /** Returns a key for a new file. */
  newKey(): string
  /** Returns whether a key has the format that only this service uses. */
  isOwnKey(key: string): boolean
  put(key: string, path: string, type: string, signal?: AbortSignal): Promise<void>
  /** Opens a file; undefined if it does not exist. */
  read(key: string, signal?: AbortSignal): Promise<Readable | undefined>
  /** Removes a file; does nothing if it does not exist. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /** Lists all objects in the directory or below the prefix, except the marker. Some may belong to other software. */
  list(signal?: AbortSignal): AsyncIterable<Readonly<{ key: string; storedAtMs: number }>>
  /** Reads the object that binds the store to a database; undefined if it does not exist. */
  readMarker(signal?: AbortSignal): Promise<string | undefined>
  writeMarker(text: string, signal?: AbortSignal): Promise<void>
}
