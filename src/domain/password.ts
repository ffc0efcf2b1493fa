import { LIMITS } from '../../generated/limits.ts'
import type { FieldCode } from './failure.ts'

/**
 * The form in which a password is hashed and compared: NFKC (NIST SP 800-63B-4, 3.1.1.2), so that the same characters
 * typed on two keyboards are the same password. Undefined when it is longer than bcrypt can tell apart: bcrypt would
 * cut it, and then every password with the same beginning would match.
 */
export function hashablePassword(password: string): string | undefined {
  const normalised = password.normalize('NFKC')
  return new TextEncoder().encode(normalised).length <= LIMITS.password.bytes_max ? normalised : undefined
}

/**
 * What is wrong with a new password.
 *
 * @param email normalised, as it will be
 * @param isCommon whether it is one that attackers try first
 */
export function passwordFaults(password: string, email: string | undefined, isCommon: boolean): FieldCode[] {
  const hashable = hashablePassword(password)
  if (hashable === undefined) return ['password_too_long']
  if (hashable.toLowerCase() === email) return ['password_is_email']
  return isCommon ? ['password_common'] : []
}
