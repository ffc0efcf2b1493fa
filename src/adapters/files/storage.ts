import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

/** The object that binds a store to a database. The version changes with each write. */
export type StoredMarker = Readonly<{ text: string; version: string }>

/** The version of the marker that a write replaces; undefined: only if there is no marker; `any`: whatever is there */
export type ExpectedVersion = string | undefined | typeof ANY_VERSION
export const ANY_VERSION = Symbol('any version')

/** Stores files by key. A file is durable when `put` resolves. A call stops when its signal aborts, if possible. */
export type FileStorage = {
  /** Names the store in messages, for example `The bucket files (prefix tawthiq/)`. */
  readonly description: string
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
  readMarker(signal?: AbortSignal): Promise<StoredMarker | undefined>
  /**
   * Writes the marker if the present one has the expected version. Returns whether it was written. After a failure or a
   * timeout, it may be written later.
   */
  writeMarker(text: string, expected: ExpectedVersion, signal?: AbortSignal): Promise<boolean>
  /** Returns whether the expected version is enforced. Some S3-compatible servers do not support conditions. */
  hasConditionalWrites(signal?: AbortSignal): Promise<boolean>
}

/** The name, after the prefix, of the object that binds a file store to a database. */
export const MARKER = 'tawthiq-store.json'

/** Files in a directory start with `draft-` until they are completely written. */
const KEY_PATTERN = /^(draft-)?[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Creates the keys of a store, which begin with the prefix. A random key is never used twice. */
export function randomKeys(prefix: string): Pick<FileStorage, 'newKey' | 'isOwnKey'> {
  return {
    newKey: () => prefix + randomUUID(),
    isOwnKey: (key) => key.startsWith(prefix) && KEY_PATTERN.test(key.slice(prefix.length)),
  }
}
