import { createHmac } from 'node:crypto'
import type { Secrets } from './index.ts'

/** Hashes personal data, such as an address, where the text itself must not be stored. */
export type KeyedHash = (text: string) => string

const BYTES = 16

/**
 * Creates an HMAC-SHA-256 with a separate key for each purpose. After a key rotation, hashes that were stored before no
 * longer match.
 */
export function keyedHash([secret]: Secrets, purpose: string): KeyedHash {
  const key = createHmac('sha256', secret).update(`tawthiq ${purpose}, version 1`).digest()
  return (text) => createHmac('sha256', key).update(text).digest().subarray(0, BYTES).toString('base64url')
}
