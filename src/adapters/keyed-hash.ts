import { createHmac } from 'node:crypto'
import type { Secrets } from './keys.ts'

/** Stands for a text that identifies a person, such as an address, where the text itself must not be stored. */
export type KeyedHash = (text: string) => string

const BYTES = 16

/**
 * HMAC-SHA-256 with a key of its own for each purpose. After a rotation of the keys, what was stored before is not found
 * any more.
 */
export function keyedHash([secret]: Secrets, purpose: string): KeyedHash {
  const key = createHmac('sha256', secret).update(`tawthiq ${purpose}, version 1`).digest()
  return (text) => createHmac('sha256', key).update(text).digest().subarray(0, BYTES).toString('base64url')
}
