import { randomUUID } from 'node:crypto'

/** The name, behind the prefix, of the object that binds a file store to a database. */
export const MARKER = 'tawthiq-store.json'

/** `draft-` is what a folder calls a file that is still being written. */
const OWN = /^(draft-)?[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The keys of one file store. Random names are never used twice. */
export type Keys = {
  newKey(): string
  /** Whether a key has the shape that only this service gives to its keys. */
  isOwn(key: string): boolean
  marker: string
}

/** @param prefix what all keys begin with, for example `tawthiq/`; empty in a folder */
export function keysWith(prefix: string): Keys {
  return {
    newKey: () => prefix + randomUUID(),
    isOwn: (key) => key.startsWith(prefix) && OWN.test(key.slice(prefix.length)),
    marker: prefix + MARKER,
  }
}
