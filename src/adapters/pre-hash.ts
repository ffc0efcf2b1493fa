import { createHmac } from 'node:crypto'
import { LIMITS } from '../../generated/limits.ts'
import { normalisePassword, PRE_HASH_TAG } from '../domain/password.ts'

/**
 * The label ties digests to this service: the ones that another system stored for the same passwords do not help to
 * guess them here.
 */
const LABEL = 'tawthiq password 1'

/** A text that bcrypt takes whole, and what its hash begins with. */
export type Hashable = Readonly<{ text: string; tag: typeof PRE_HASH_TAG | '' }>

/** Returns what bcrypt hashes of a new password. It ignores bytes after the 72nd, so longer passwords are hashed first. */
export function hashable(password: string): Hashable {
  const normalised = normalisePassword(password)
  return fits(normalised) ? { text: normalised, tag: '' } : { text: preHash(normalised), tag: PRE_HASH_TAG }
}

/**
 * Returns what is compared with the bcrypt part of a stored hash. Undefined if the password cannot be the right one: it
 * is longer than what bcrypt takes, and the hash is not of such a password.
 */
export function comparable(password: string, storedHash: string): string | undefined {
  const normalised = normalisePassword(password)
  const long = preHash(normalised) // always, so that the time does not depend on the hash
  if (storedHash.startsWith(PRE_HASH_TAG)) return long
  return fits(normalised) ? normalised : undefined
}

function fits(normalised: string): boolean {
  return Buffer.byteLength(normalised) <= LIMITS.password.bcrypt_bytes
}

/** In base64, because bcrypt would end the text at the first NUL, which 1 of 8 digests contain. */
function preHash(normalised: string): string {
  return createHmac('sha256', LABEL).update(normalised).digest('base64')
}
