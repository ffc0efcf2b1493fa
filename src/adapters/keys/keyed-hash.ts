import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Secrets } from './index.ts'

/** Hashes personal data, such as an address, where the text itself must not be stored. */
export type KeyedHash = (text: string) => string

const BYTES = 16

/** Creates an HMAC-SHA-256 with a key for each purpose. After a key rotation, stored hashes no longer match. */
export function keyedHash([secret]: Secrets, purpose: string): KeyedHash {
  const key = createHmac('sha256', secret).update(`tawthiq ${purpose}, version 1`).digest()
  return (text) => createHmac('sha256', key).update(text).digest().subarray(0, BYTES).toString('base64url')
}

const KEY_BYTES = 32

/** Derives a key for a purpose from each secret, with HKDF-SHA-256. */
export function deriveKeys([first, ...others]: Secrets, label: string): [Buffer, ...Buffer[]] {
  const derive = (secret: Uint8Array): Buffer => Buffer.from(hkdfSync('sha256', secret, '', label, KEY_BYTES))
  return [derive(first), ...others.map(derive)]
}

/** Returns whether two texts are equal, in a time that depends on neither of them but the length of the given one. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

/** Hashes have the same length, which the comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
