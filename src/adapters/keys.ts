import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  type KeyObject,
} from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { LIMITS } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'
import { makeFolder } from '../folder.ts'
import { StartFailure } from '../start-failure.ts'

/** The secrets of the service. The first token key signs; the others verify tokens that are still alive. */
export type Keys = { tokens: [TokenKey, ...TokenKey[]]; otp: Uint8Array }

export type TokenKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject; jwk: components['schemas']['Jwk'] }

const OTP_KEY_BYTES = 32

const PrivateJwk = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  kid: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  x: Type.String({ pattern: '^[\\w-]{43}$' }),
  d: Type.String({ pattern: '^[\\w-]{43}$' }),
})
const KeyFile = Type.Object({
  tokens: Type.Array(PrivateJwk, { minItems: 1, maxItems: LIMITS.keys.max }),
  otp: Type.String({ pattern: '^[\\w-]{43}$' }),
})
type KeyFile = Static<typeof KeyFile>

/** New secrets, as the text of a key file. */
export function newKeys(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x, d } = privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  const kid = `k-${new Date().toISOString().slice(0, 10)}-${randomBytes(2).toString('hex')}`
  const otp = randomBytes(OTP_KEY_BYTES).toString('base64url')
  const file: KeyFile = { tokens: [{ kty: 'OKP', crv: 'Ed25519', kid, x, d }], otp }
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * Reads a key file that only its owner may read.
 *
 * @throws StartFailure when others may read it, or it holds no good keys
 */
export function readKeyFile(path: string): Keys {
  const mode = statOf(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new StartFailure(
      `The key file ${path} can be read by others (mode ${(mode & 0o777).toString(8)}). Run chmod 600 ${path}.`,
    )
  }
  return parseKeys(readText(path), `The key file ${path}`)
}

/** The same, made first if it is not there. */
export function readOrMakeKeyFile(path: string): Keys {
  if (!existsSync(path)) {
    makeFolder(dirname(path))
    const draft = `${path}.${randomUUID()}`
    try {
      writeFileSync(draft, newKeys(), { mode: 0o600 })
      linkUnlessThere(draft, path)
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readKeyFile(path)
}

/** Of many who start at once, the first one makes the keys of all. */
function linkUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** @param name what to call the text in an error, for example `KEYS` */
export function parseKeys(text: string, name: string): Keys {
  const file = parseJson(text, name)
  if (!Value.Check(KeyFile, file)) {
    const [first] = Value.Errors(KeyFile, file)
    throw new StartFailure(
      `${name} holds no good keys: ${first?.path ?? ''} ${first?.message ?? ''}. Make new ones with npm run keys.`,
    )
  }
  const kids = file.tokens.map(({ kid }) => kid)
  if (new Set(kids).size < kids.length) throw new StartFailure(`${name} has two keys of one name (kid).`)
  const [signing, ...others] = file.tokens.map((jwk) => tokenKey(jwk, name))
  const otp = new Uint8Array(Buffer.from(file.otp, 'base64url'))
  if (!signing || new Set(otp).size < 8)
    throw new StartFailure(`${name} holds a weak key. Make new ones with npm run keys.`)
  return { tokens: [signing, ...others], otp }
}

function tokenKey(jwk: Static<typeof PrivateJwk>, name: string): TokenKey {
  const { kid, x } = jwk
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  if (publicKey.export({ format: 'jwk' }).x !== x)
    throw new StartFailure(`${name}: the halves of ${kid} do not belong together.`)
  return { kid, privateKey, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' } }
}

function statOf(path: string): number {
  try {
    return statSync(path).mode
  } catch (error) {
    throw new StartFailure(`The key file ${path} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartFailure(`The key file ${path} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartFailure(`${name} is not JSON. Make new ones with npm run keys.`) // its cause would quote a secret
  }
}
