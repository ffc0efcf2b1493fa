import { createHmac } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { normalisePassword, PRE_HASH_TAG } from '../../domain/passwords/password.ts'

/** Separates these digests from those of other systems, whose leaks then do not help to guess a password here. */
const LABEL = 'tawthiq password 1'

/**
 * Returns what bcrypt hashes of a new password, and the tag that precedes its hash. It ignores bytes after the 72nd, so longer
 * passwords are hashed first.
 */
export function toHashInput(password: string): Readonly<{ text: string; tag: typeof PRE_HASH_TAG | '' }> {
  const normalised = normalisePassword(password)
  return fits(normalised) ? { text: normalised, tag: '' } : { text: preHash(normalised), tag: PRE_HASH_TAG }
}

/**
 * Returns the text to compare with the bcrypt part of a stored hash; undefined if the password cannot match, because it
 * exceeds bcrypt's limit and the hash has no tag.
 */
export function toCompareInput(password: string, storedHash: string): string | undefined {
  const normalised = normalisePassword(password)
  const preHashed = preHash(normalised) // always, so that the time does not depend on the hash
  if (storedHash.startsWith(PRE_HASH_TAG)) return preHashed
  return fits(normalised) ? normalised : undefined
}

function fits(normalised: string): boolean {
  return Buffer.byteLength(normalised) <= LIMITS.password.bcrypt_bytes
}

/** Encoded as base64, because bcrypt ends a text at the first NUL, which 1 of 8 digests contain. */
function preHash(normalised: string): string {
  return createHmac('sha256', LABEL).update(normalised).digest('base64')
}
