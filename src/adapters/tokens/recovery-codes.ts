import { createHash, randomInt } from 'node:crypto'
import { LIMITS } from '../../../generated/limits.ts'

/** Codes for an account that has lost its second factor. Only their SHA-256 hashes are stored. */
export type RecoveryCodes = {
  /** Generates the codes of an account, 120 random bits each. */
  newCodes(): string[]
  /** Hashes a code. It has enough random bits for a fast hash. */
  hash(code: string): Uint8Array<ArrayBuffer>
}

/** Base32 (RFC 4648), which has no characters that are easily confused */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const { recovery_codes, recovery_characters } = LIMITS.factors

export const recoveryCodes: RecoveryCodes = {
  newCodes: () => Array.from({ length: recovery_codes }, newCode),
  hash: (code) => new Uint8Array(createHash('sha256').update(code).digest()),
}

function newCode(): string {
  return Array.from({ length: recovery_characters }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
