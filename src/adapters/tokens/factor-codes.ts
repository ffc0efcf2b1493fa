import { randomInt } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { resetTokens } from './refresh-tokens.ts'

/** Base32 (RFC 4648), without 0, 1 and 8, which look like O, I and B */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const { recovery_codes, recovery_characters, enrollment_characters } = LIMITS.factors

/** Codes for an account that has lost its second factor. Only their SHA-256 hashes are stored. */
export const recoveryCodes = {
  newCodes: (): string[] => Array.from({ length: recovery_codes }, () => newCode(recovery_characters)),
  hash: resetTokens.hash, // 120 random bits are enough for a fast hash
}

/** Codes that the first second factor of an administrator requires. Only their SHA-256 hashes are stored. */
export const enrollmentCodes = {
  newCode: (): string => newCode(enrollment_characters),
  hash: resetTokens.hash, // 80 random bits are enough for a fast hash of a code that is valid for hours
}

/** Generates a code, with 5 random bits in each character. */
export function newCode(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
