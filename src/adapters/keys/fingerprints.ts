import { createHash, createHmac } from 'node:crypto'
import type { ByPurpose } from '../../domain/key-agreement.ts'
import type { Jwk, KeyFile } from './key-file-schema.ts'

/** Long enough that two keys never have the same one by accident */
const BYTES = 12

/**
 * Returns the fingerprints of all keys, in the order of the file. That of a key pair is a hash of its public part. That of a
 * secret is an HMAC of its name, from which the secret, which is random, cannot be found.
 */
export function fingerprintsOf(file: KeyFile): ByPurpose<string[]> {
  const entries = Object.entries(file).map(([purpose, keys]) => [purpose, keys.map((key) => fingerprint(key, purpose))])
  return Object.fromEntries(entries) as ByPurpose<string[]>
}

function fingerprint(key: Jwk, purpose: string): string {
  const name = `tawthiq fingerprint of ${purpose} ${key.kid}, version 1`
  const hash =
    key.kty === 'oct' ? createHmac('sha256', Buffer.from(key.k, 'base64url')) : createHash('sha256').update(key.x)
  return hash.update(name).digest().subarray(0, BYTES).toString('base64url')
}
