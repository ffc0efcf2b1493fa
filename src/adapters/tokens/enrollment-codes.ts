import { LIMITS } from '../../../generated/limits.ts'
import { newCode } from './recovery-codes.ts'
import { resetTokens } from './refresh-tokens.ts'

/** Codes that the first second factor of an administrator requires. Only their SHA-256 hashes are stored. */
export type EnrollmentCodes = {
  /** Generates a code of 80 random bits. */
  newCode(): string
  /** Hashes a code. It is valid for hours, and has enough random bits for a fast hash. */
  hash(code: string): Uint8Array<ArrayBuffer>
}

export const enrollmentCodes: EnrollmentCodes = {
  newCode: () => newCode(LIMITS.factors.enrollment_characters),
  hash: resetTokens.hash,
}
