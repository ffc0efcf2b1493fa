import { createHash, randomBytes } from 'node:crypto'

/** Tokens that set a new password: random, and kept as their SHA-256. */
export type ResetTokens = { newToken(): string; hashOf(token: string): Uint8Array<ArrayBuffer> }

const TOKEN_BYTES = 32

export const resetTokens: ResetTokens = {
  newToken: () => randomBytes(TOKEN_BYTES).toString('base64url'),
  hashOf: (token) => new Uint8Array(createHash('sha256').update(token).digest()),
}
