import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { RefreshClaims } from '../domain/session.ts'
import type { Secrets } from './keys.ts'

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
 * @param secrets what only this service has; the keys of the tokens are derived from it
 */
export function hmacRefreshTokens(secrets: Secrets): RefreshTokens {
  const [issuing, ...others] = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', LABEL, MAC_BYTES)))
  if (!issuing) throw new Error('there is no key for refresh tokens')
  const macOf = (claims: Buffer, key = issuing): Buffer => createHmac('sha256', key).update(claims).digest()

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
      const mac = bytes.subarray(CLAIMS_BYTES)
      if (![issuing, ...others].some((key) => timingSafeEqual(mac, macOf(claims, key)))) return undefined
      return {
        sessionId: claims.toString('hex', 0, SESSION_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        generation: claims.readUInt32BE(SESSION_BYTES),
      }
    },
  }
}
