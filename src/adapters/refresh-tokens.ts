import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { RefreshClaims } from '../domain/session.ts'

/** Refresh tokens. They are derived when needed, so that nothing readable is stored, and one can be given once more. */
export type RefreshTokens = {
  issue(claims: RefreshClaims): string
  /** What a token says; undefined when this service did not issue it. Whether it is still good is for the store to say. */
  read(token: string): RefreshClaims | undefined
}

const LABEL = 'tawthiq refresh tokens, version 1'
const SESSION_BYTES = 16
const GENERATION_BYTES = 4
const CLAIMS_BYTES = SESSION_BYTES + GENERATION_BYTES
const MAC_BYTES = 32

/**
 * Tokens of the id of a session (122 random bits), its generation, and an HMAC-SHA-256 over both.
 *
 * @param secret what only this service has; the key of the tokens is derived from it
 */
export function hmacRefreshTokens(secret: Uint8Array): RefreshTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', LABEL, MAC_BYTES))
  const macOf = (claims: Buffer): Buffer => createHmac('sha256', key).update(claims).digest()

  return {
    issue({ sessionId, generation }) {
      const claims = Buffer.alloc(CLAIMS_BYTES)
      claims.write(sessionId.replaceAll('-', ''), 'hex')
      claims.writeUInt32BE(generation, SESSION_BYTES)
      return Buffer.concat([claims, macOf(claims)]).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== CLAIMS_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined
      const claims = bytes.subarray(0, CLAIMS_BYTES)
      if (!timingSafeEqual(bytes.subarray(CLAIMS_BYTES), macOf(claims))) return undefined
      return {
        sessionId: claims.toString('hex', 0, SESSION_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        generation: claims.readUInt32BE(SESSION_BYTES),
      }
    },
  }
}
