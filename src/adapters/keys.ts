import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { LIMITS } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'
import { StartFailure } from '../start-failure.ts'

/** The secrets of the service. The first token key signs; the others verify tokens that are still alive. */
export type Keys = { tokens: [TokenKey, ...TokenKey[]]; otp: Uint8Array }

export type TokenKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject; jwk: components['schemas']['Jwk'] }

const OTP_KEY_BYTES = 32
const TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'

/** A token key. Of those that do not sign, `prepared` and `retired` tell since when: it will sign, or it has signed. */
const PrivateJwk = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  kid: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  x: Type.String({ pattern: '^[\\w-]{43}$' }),
  d: Type.String({ pattern: '^[\\w-]{43}$' }),
  prepared: Type.Optional(Type.String({ pattern: TIME })),
  retired: Type.Optional(Type.String({ pattern: TIME })),
})
export type PrivateJwk = Static<typeof PrivateJwk>

const KeyFile = Type.Object({
  tokens: Type.Array(PrivateJwk, { minItems: 1, maxItems: LIMITS.keys.max }),
  otp: Type.String({ pattern: '^[\\w-]{43}$' }),
})
export type KeyFile = Static<typeof KeyFile>

/** New secrets, as the text of a key file. */
export function newKeys(): string {
  const otp = randomBytes(OTP_KEY_BYTES).toString('base64url')
  return textOf({ tokens: [newTokenKey(Date.now())], otp })
}

/** The text of a key file, as people can read it */
export function textOf(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

export function newTokenKey(nowMs: number): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x, d } = privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  const kid = `k-${new Date(nowMs).toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`
  return { kty: 'OKP', crv: 'Ed25519', kid, x, d }
}

/**
 * @param name what to call the text in an error, for example `KEYS`
 * @throws StartFailure when it holds no good keys
 */
export function parseKeys(text: string, name: string): Keys {
  return keysIn(shaped(text, name), name)
}

/** The same, as it is written. */
export function parseKeyFile(text: string, name: string): KeyFile {
  const file = shaped(text, name)
  keysIn(file, name)
  return file
}

function shaped(text: string, name: string): KeyFile {
  const file = parseJson(text, name)
  if (Value.Check(KeyFile, file)) return file
  const [first] = Value.Errors(KeyFile, file)
  throw new StartFailure(
    `${name} holds no good keys: ${first?.path ?? ''} ${first?.message ?? ''}. Make new ones with npm run keys.`,
  )
}

function keysIn(file: KeyFile, name: string): Keys {
  const kids = file.tokens.map(({ kid }) => kid)
  if (new Set(kids).size < kids.length) throw new StartFailure(`${name} has two keys of one name (kid).`)
  const [signing, ...others] = file.tokens.map((jwk) => tokenKey(jwk, name))
  const otp = new Uint8Array(Buffer.from(file.otp, 'base64url'))
  if (!signing || new Set(otp).size < 8)
    throw new StartFailure(`${name} holds a weak key. Make new ones with npm run keys.`)
  return { tokens: [signing, ...others], otp }
}

function tokenKey(jwk: PrivateJwk, name: string): TokenKey {
  const { kid, x } = jwk
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  if (publicKey.export({ format: 'jwk' }).x !== x)
    throw new StartFailure(`${name}: the halves of ${kid} do not belong together.`)
  return { kid, privateKey, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' } }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartFailure(`${name} is not JSON. Make new ones with npm run keys.`) // its cause would quote a secret
  }
}
