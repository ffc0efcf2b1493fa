import { createHash, randomBytes } from 'node:crypto'

/** Random tokens that set a new password. Only their SHA-256 hash is stored. */
export type ResetTokens = { newToken(): string; hash(token: string): Uint8Array<ArrayBuffer> }

const TOKEN_BYTES = 32

export const resetTokens: ResetTokens = {
  newToken: () => randomBytes(TOKEN_BYTES).toString('base64url'),
  hash: (token) => new Uint8Array(createHash('sha256').update(token).digest()),
}
