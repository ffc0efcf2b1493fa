const PASSWORD_BYTES_MAX = 72

/**
 * The form in which a password is hashed and compared: NFKC (NIST SP 800-63B-4, 3.1.1.2), so that the same characters
 * typed on two keyboards are the same password. Undefined when it is longer than bcrypt can tell apart: bcrypt would
 * cut it, and then every password with the same beginning would match.
 */
export function hashablePassword(password: string): string | undefined {
  const normalised = password.normalize('NFKC')
  return new TextEncoder().encode(normalised).length <= PASSWORD_BYTES_MAX ? normalised : undefined
}
