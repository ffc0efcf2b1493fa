import { createHmac, timingSafeEqual, createHash, randomBytes } from 'node:crypto'
import type { RefreshClaims } from '../../domain/sessions/session.ts'
import type { Secrets } from '../keys/index.ts'
import { deriveKeys } from '../keys/keyed-hash.ts'

/** Refresh tokens. They are derived when needed, so that no readable token is stored and one can be returned again. */
export type RefreshTokens = {
  issue(claims: RefreshClaims): string
  /** Returns the claims of a token; undefined if this service did not issue it. The store decides if it is valid. */
  read(token: string): RefreshClaims | undefined
}

const LABEL = 'tawthiq refresh tokens, version 1'
const SESSION_BYTES = 16
const GENERATION_BYTES = 4
const CLAIMS_BYTES = SESSION_BYTES + GENERATION_BYTES
const MAC_BYTES = 32

/** Builds tokens from the session id (122 random bits), its generation, and an HMAC-SHA-256 over both. */
export function hmacRefreshTokens(secrets: Secrets): RefreshTokens {
  const keys = deriveKeys(secrets, LABEL)
  const computeMac = (claims: Buffer, key = keys[0]): Buffer => createHmac('sha256', key).update(claims).digest()

  return {
    issue({ sessionId, generation }) {
      const claims = Buffer.alloc(CLAIMS_BYTES)
      claims.write(sessionId.replaceAll('-', ''), 'hex')
      claims.writeUInt32BE(generation, SESSION_BYTES)
      return Buffer.concat([claims, computeMac(claims)]).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== CLAIMS_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined
      const claims = bytes.subarray(0, CLAIMS_BYTES)
      const mac = bytes.subarray(CLAIMS_BYTES)
      if (!keys.some((key) => timingSafeEqual(mac, computeMac(claims, key)))) return undefined
      return {
        sessionId: claims.toString('hex', 0, SESSION_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        generation: claims.readUInt32BE(SESSION_BYTES),
      }
    },
  }
}

const TOKEN_BYTES = 32

/** Random tokens that set a new password. Only their SHA-256 hash is stored. */
export const resetTokens = {
  newToken: (): string => randomBytes(TOKEN_BYTES).toString('base64url'),
  hash: (token: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(token).digest()),
}
