import { randomInt } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'
import { resetTokens } from './refresh-tokens.ts'

/** Codes for an account that has lost its second factor. Only their SHA-256 hashes are stored. */
export type RecoveryCodes = {
  /** Generates the codes of an account, 120 random bits each. */
  newCodes(): string[]
  /** Hashes a code. It has enough random bits for a fast hash. */
  hash(code: string): Uint8Array<ArrayBuffer>
}

/** Base32 (RFC 4648), without 0, 1 and 8, which look like O, I and B */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const { recovery_codes, recovery_characters } = LIMITS.factors

export const recoveryCodes: RecoveryCodes = {
  newCodes: () => Array.from({ length: recovery_codes }, () => newCode(recovery_characters)),
  hash: resetTokens.hash,
}

/** Generates a code, with 5 random bits in each character. */
export function newCode(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
