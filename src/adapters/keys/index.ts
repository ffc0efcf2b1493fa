import { createPrivateKey, createPublicKey, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { components } from '../../../generated/types.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { newKeyFile } from './new-keys.ts'
import {
  algorithmOf,
  CURVES,
  parseKeyFileShape,
  type Algorithm,
  type KeyFile,
  type PrivateJwk,
  type SecretJwk,
} from './key-file-schema.ts'

/** Symmetric keys of one kind. The first one is used; all of them verify. */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]]

/** The keys of the service. The first token key signs; the others verify tokens that have not expired. */
export type Keys = {
  tokens: [TokenKey, ...TokenKey[]]
  codes: Secrets
  links: Secrets
  refreshTokens: Secrets
  /** The first one signs. If empty, the audit trail is not sealed. */
  auditSeals: readonly SealKey[]
  /** They encrypt the secrets of authenticator apps. If undefined, these cannot be used. */
  factors: Secrets | undefined
  /** The kid of the first key of each list */
  usedKids: Readonly<Record<string, string>>
}

export type SealKey = Readonly<{ kid: string; secret: Uint8Array }>

export type TokenKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject; jwk: components['schemas']['Jwk'] }

/** 32 random bytes have more distinct values than this; fewer indicate a weak key. */
const DIFFERENT_BYTES_MIN = 8

/** Generates new secrets as the text of a key file, with a key of an algorithm for access tokens. */
export function newKeys(algorithm?: Algorithm): string {
  return serializeKeyFile(newKeyFile(Date.now(), algorithm))
}

export function serializeKeyFile(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * Parses a key file into usable keys.
 *
 * @param name names the text in errors, for example `KEYS`
 * @throws StartupError if the keys are invalid
 */
export function parseKeys(text: string, name: string): Keys {
  return buildKeys(parseKeyFileShape(text, name), name)
}

/** Parses and validates a key file, and returns it as it is written. */
export function parseKeyFile(text: string, name: string): KeyFile {
  const file = parseKeyFileShape(text, name)
  buildKeys(file, name)
  return file
}

/** @throws StartupError if the keys are invalid */
export function buildKeys(file: KeyFile, name: string): Keys {
  for (const keys of Object.values(file)) {
    if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
      throw new StartupError(`${name} has two keys with the same kid. Remove one of them.`)
  }
  const [signing, ...others] = file.tokens.map((jwk) => parseTokenKey(jwk, name))
  if (!signing) throw weakKeyError(name)
  return {
    tokens: [signing, ...others],
    codes: parseSecrets(file.codes, name),
    links: parseSecrets(file.links, name),
    refreshTokens: parseSecrets(file.refresh_tokens, name),
    usedKids: Object.fromEntries(Object.entries(file).flatMap(([list, [first]]) => (first ? [[list, first.kid]] : []))),
    factors: file.factors.length > 0 ? parseSecrets(file.factors, name) : undefined,
    auditSeals: file.audit_seals.map((jwk) => ({ kid: jwk.kid, secret: parseSecrets([jwk], name)[0] })),
  }
}

function parseTokenKey({ kty, crv, x, y, d, kid }: PrivateJwk, name: string): TokenKey {
  const alg = algorithmOf({ crv })
  const numbers = { kty, crv, x, ...(kty === 'EC' && { y }) }
  const pair = kty === CURVES[alg].kty ? readPair(numbers, d) : undefined
  if (pair) return { kid, ...pair, jwk: { ...numbers, kid, use: 'sig', alg } }
  throw new StartupError(
    `${name}: the public and private parts of the key ${kid} do not match. Remove the key, or restore it from a backup.`,
  )
}

/** Returns a key pair; undefined if its parts are invalid or do not belong together. */
function readPair(numbers: JsonWebKey, d: string): Pick<TokenKey, 'privateKey' | 'publicKey'> | undefined {
  try {
    const privateKey = createPrivateKey({ key: { ...numbers, d }, format: 'jwk' })
    const publicKey = createPublicKey({ key: numbers, format: 'jwk' })
    const text = Buffer.from('text')
    return verify(null, text, publicKey, sign(null, text, privateKey)) ? { privateKey, publicKey } : undefined
  } catch {
    return undefined
  }
}

function parseSecrets(jwks: readonly SecretJwk[], name: string): Secrets {
  const [first, ...others] = jwks.map(({ k }) => new Uint8Array(Buffer.from(k, 'base64url')))
  if (!first || [first, ...others].some((bytes) => new Set(bytes).size < DIFFERENT_BYTES_MIN)) throw weakKeyError(name)
  return [first, ...others]
}

function weakKeyError(name: string): StartupError {
  return new StartupError(`${name} contains a weak key. Create new keys with npm run -s keys.`)
}
