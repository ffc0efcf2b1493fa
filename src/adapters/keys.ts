import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { components } from '../../generated/types.ts'
import { StartFailure } from '../start-failure.ts'
import { newKeyFile } from './keys/new.ts'
import { shapedKeyFile, type KeyFile, type PrivateJwk, type SecretJwk } from './keys/shape.ts'

/** Symmetric keys of one kind: the first one is used, and all verify what was made with them. */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]]

/** The keys of the service. The first token key signs; the others verify tokens that are still alive. */
export type Keys = {
  tokens: [TokenKey, ...TokenKey[]]
  codes: Secrets
  links: Secrets
  refreshTokens: Secrets
  /** The first one signs. Empty: the audit trail is not sealed. */
  auditSeals: readonly SealKey[]
}

export type SealKey = Readonly<{ kid: string; secret: Uint8Array }>

export type TokenKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject; jwk: components['schemas']['Jwk'] }

/** Fewer different bytes among 32 are not chance. */
const DIFFERENT_BYTES_MIN = 8

/** New secrets, as the text of a key file. */
export function newKeys(): string {
  return textOf(newKeyFile(Date.now()))
}

/** The text of a key file, as people can read it */
export function textOf(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * @param name what to call the text in an error, for example `KEYS`
 * @throws StartFailure when it holds no good keys
 */
export function parseKeys(text: string, name: string): Keys {
  return keysIn(shapedKeyFile(text, name), name)
}

/** The same, as it is written. */
export function parseKeyFile(text: string, name: string): KeyFile {
  const file = shapedKeyFile(text, name)
  keysIn(file, name)
  return file
}

function keysIn(file: KeyFile, name: string): Keys {
  for (const keys of Object.values(file)) {
    if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
      throw new StartFailure(`${name} has two keys of one name (kid).`)
  }
  const [signing, ...others] = file.tokens.map((jwk) => tokenKey(jwk, name))
  if (!signing) throw weak(name)
  return {
    tokens: [signing, ...others],
    codes: secretsOf(file.codes, name),
    links: secretsOf(file.links, name),
    refreshTokens: secretsOf(file.refresh_tokens, name),
    auditSeals: file.audit_seals.map((jwk) => ({ kid: jwk.kid, secret: secretsOf([jwk], name)[0] })),
  }
}

function tokenKey(jwk: PrivateJwk, name: string): TokenKey {
  const { kid, x } = jwk
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  if (publicKey.export({ format: 'jwk' }).x !== x)
    throw new StartFailure(`${name}: the halves of ${kid} do not belong together.`)
  return { kid, privateKey, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' } }
}

function secretsOf(jwks: readonly SecretJwk[], name: string): Secrets {
  const [first, ...others] = jwks.map(({ k }) => new Uint8Array(Buffer.from(k, 'base64url')))
  if (!first || [first, ...others].some((bytes) => new Set(bytes).size < DIFFERENT_BYTES_MIN)) throw weak(name)
  return [first, ...others]
}

function weak(name: string): StartFailure {
  return new StartFailure(`${name} holds a weak key. Make new ones with npm run keys.`)
}
