import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  CURVES,
  type Algorithm,
  type Jwk,
  type KeyFile,
  type KeyKind,
  type PrivateJwk,
  type SecretJwk,
} from './key-file-schema.ts'

const SECRET_BYTES = 32

export function newKeyFile(nowMs: number, algorithm?: Algorithm): KeyFile {
  return {
    tokens: [newTokenKey(nowMs, algorithm)],
    codes: [newSecret('codes', nowMs)],
    links: [newSecret('links', nowMs)],
    refresh_tokens: [newSecret('refresh_tokens', nowMs)],
    audit_seals: [newSecret('audit_seals', nowMs)],
    factors: [newSecret('factors', nowMs)],
  }
}

/** @param algorithm of a key of access tokens */
export function newKey(kind: KeyKind, nowMs: number, algorithm?: Algorithm): Jwk {
  return kind === 'tokens' ? newTokenKey(nowMs, algorithm) : newSecret(kind, nowMs)
}

function newTokenKey(nowMs: number, algorithm: Algorithm = 'EdDSA'): PrivateJwk {
  const { kty, crv } = CURVES[algorithm]
  const { privateKey } = kty === 'OKP' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: crv })
  const numbers = privateKey.export({ format: 'jwk' }) as Pick<PrivateJwk, 'x' | 'y' | 'd'>
  return { ...numbers, kty, crv, kid: newKid('k', nowMs) }
}

function newSecret(kind: KeyKind, nowMs: number): SecretJwk {
  const k = randomBytes(SECRET_BYTES).toString('base64url')
  return { kty: 'oct', kid: newKid(kind.replaceAll('_', '-'), nowMs), k }
}

function newKid(prefix: string, nowMs: number): string {
  return `${prefix}-${new Date(nowMs).toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`
}
