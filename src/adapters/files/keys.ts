import { randomUUID } from 'node:crypto'

/** The name, after the prefix, of the object that binds a file store to a database. */
export const MARKER = 'tawthiq-store.json'

/** Files in a directory start with `draft-` until they are completely written. */
const KEY_PATTERN = /^(draft-)?[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The keys of one file store. A random key is never used twice. */
export type Keys = {
  newKey(): string
  /** Returns whether a key has the format that only this service uses. */
  isOwn(key: string): boolean
  marker: string
}

/** @param prefix the prefix of all keys, for example `tawthiq/`; empty in a directory */
export function createKeys(prefix: string): Keys {
  return {
    newKey: () => prefix + randomUUID(),
    isOwn: (key) => key.startsWith(prefix) && KEY_PATTERN.test(key.slice(prefix.length)),
    marker: prefix + MARKER,
  }
}
