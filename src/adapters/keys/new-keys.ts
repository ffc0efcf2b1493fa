import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Jwk, KeyFile, KeyKind, PrivateJwk, SecretJwk } from './key-file-schema.ts'

const SECRET_BYTES = 32

/** Generates a key file with one new key of each kind. */
export function newKeyFile(nowMs: number): KeyFile {
  return {
    tokens: [newTokenKey(nowMs)],
    codes: [newSecret('codes', nowMs)],
    links: [newSecret('links', nowMs)],
    refresh_tokens: [newSecret('refresh_tokens', nowMs)],
    audit_seals: [newSecret('audit_seals', nowMs)],
    factors: [newSecret('factors', nowMs)],
  }
}

export function newKey(kind: KeyKind, nowMs: number): Jwk {
  return kind === 'tokens' ? newTokenKey(nowMs) : newSecret(kind, nowMs)
}

function newTokenKey(nowMs: number): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x, d } = privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  return { kty: 'OKP', crv: 'Ed25519', kid: newKid('k', nowMs), x, d }
}

function newSecret(kind: KeyKind, nowMs: number): SecretJwk {
  const k = randomBytes(SECRET_BYTES).toString('base64url')
  return { kty: 'oct', kid: newKid(kind.replaceAll('_', '-'), nowMs), k }
}

/** Returns a unique name that contains the date. */
function newKid(prefix: string, nowMs: number): string {
  return `${prefix}-${new Date(nowMs).toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`
}
