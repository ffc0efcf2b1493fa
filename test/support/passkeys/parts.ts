// Credentials in parts, each of which a test can change (WebAuthn Level 3, sections 5.8.1, 6.1 and 6.5).
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { coseKey, ORIGIN, sha256 } from '../accounts/authenticator.ts'
import { bytes, int, map, text, uint16 } from './cbor.ts'

/** The flags of authenticator data */
export const FLAG = { UP: 0x01, UV: 0x04, BE: 0x08, BS: 0x10, AT: 0x40, ED: 0x80 } as const

const USED_FLAGS = FLAG.UP | FLAG.UV | FLAG.BE | FLAG.BS

export type ClientData = Readonly<{ type: string; challenge: string; origin: string; crossOrigin: boolean }>

export type Parts = Readonly<{
  clientData: Buffer
  rpId: string
  flags: number
  counter: number
  /** The length that authenticator data states for the id of a new credential */
  idLength: number
  credentialId: Buffer
  /** The COSE_Key of a new credential */
  publicKey: Buffer
  /** What follows in authenticator data */
  rest: Buffer
}>

/** A credential as JSON, of which a hostile client can change every member */
export type Credential = { id: unknown; type: string; response: Record<string, unknown> }

export type Rewrite = (credential: Credential) => unknown

/** What a hostile client changes of a credential that would be accepted */
export type Change = Readonly<{
  parts?: (parts: Parts) => Partial<Parts>
  /** Changes authenticator data before it is signed. */
  authData?: (data: Buffer) => Buffer
  /** Changes the signature of an assertion. */
  signature?: (right: Buffer) => Buffer
  /** Builds an attestation object around authenticator data. */
  object?: (authData: Buffer) => Buffer
  json?: Rewrite
}>

export type KeyPair = Readonly<{ credentialId: Buffer; publicKey: Buffer; privateKey: KeyObject; hash: string | null }>

/** For each algorithm that the service asks for, a new key and its COSE_Key (RFC 9053, RFC 8230) */
const NEW_KEYS = {
  ES256() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return { publicKey: coseKey(publicKey), privateKey, hash: 'sha256' }
  },
  EdDSA() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { x = '' } = publicKey.export({ format: 'jwk' })
    return {
      publicKey: map(int(1), int(1), int(3), int(-8), int(-1), int(6), int(-2), parameter(x)),
      privateKey,
      hash: null,
    }
  },
  RS256() {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
    return {
      publicKey: map(int(1), int(3), int(3), int(-257), int(-1), parameter(n), int(-2), parameter(e)),
      privateKey,
      hash: 'sha256',
    }
  },
} satisfies Record<string, () => Omit<KeyPair, 'credentialId'>>

export const ALGORITHMS = Object.keys(NEW_KEYS) as (keyof typeof NEW_KEYS)[] // Object.keys loses the type of the keys

export function newKeyPair(algorithm: keyof typeof NEW_KEYS = 'ES256'): KeyPair {
  return { credentialId: randomBytes(32), ...NEW_KEYS[algorithm]() }
}

const parameter = (base64Url: string): Buffer => bytes(Buffer.from(base64Url, 'base64url'))

export function usualClientData(type: 'webauthn.create' | 'webauthn.get', challenge: string): ClientData {
  return { type, challenge, origin: ORIGIN, crossOrigin: false }
}

export function attestationObject(authData: Buffer): Buffer {
  return map(text('fmt'), text('none'), text('attStmt'), map(), text('authData'), bytes(authData))
}

/** Returns a new credential, as `navigator.credentials.create()` does. */
export function attestation(pair: KeyPair, clientData: ClientData, change: Change = {}): unknown {
  const { clientData: data, ...authenticator } = changed(pair, { clientData, flags: USED_FLAGS | FLAG.AT }, change)
  const { idLength, credentialId, publicKey, rest } = authenticator
  const attested = Buffer.concat([Buffer.alloc(16), uint16(idLength), credentialId, publicKey, rest])
  const whole = Buffer.concat([authenticatorData(authenticator), attested])
  const authData = change.authData?.(whole) ?? whole
  const object = change.object?.(authData) ?? attestationObject(authData)
  const response = { clientDataJSON: toBase64Url(data), attestationObject: toBase64Url(object), transports: ['usb'] }
  return asJson(pair, response, change)
}

/** Returns an assertion, as `navigator.credentials.get()` does. */
export function assertion(
  pair: KeyPair & { userHandle: string },
  clientData: ClientData,
  change: Change = {},
): unknown {
  const { clientData: data, ...authenticator } = changed(pair, { clientData, flags: USED_FLAGS }, change)
  const whole = Buffer.concat([authenticatorData(authenticator), authenticator.rest])
  const authData = change.authData?.(whole) ?? whole
  const right = sign(pair.hash, Buffer.concat([authData, sha256(data)]), pair.privateKey)
  const response = {
    clientDataJSON: toBase64Url(data),
    authenticatorData: toBase64Url(authData),
    signature: toBase64Url(change.signature?.(right) ?? right),
    userHandle: pair.userHandle,
  }
  return asJson(pair, response, change)
}

function changed(
  { credentialId, publicKey }: KeyPair,
  { clientData, flags }: { clientData: ClientData; flags: number },
  { parts }: Change,
): Parts {
  const usual: Parts = {
    clientData: Buffer.from(JSON.stringify(clientData)),
    rpId: 'localhost',
    counter: 0,
    idLength: credentialId.length,
    rest: Buffer.alloc(0),
    ...{ flags, credentialId, publicKey },
  }
  return { ...usual, ...parts?.(usual) }
}

function authenticatorData({ rpId, flags, counter }: Pick<Parts, 'rpId' | 'flags' | 'counter'>): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count])
}

function asJson({ credentialId }: KeyPair, response: Record<string, unknown>, { json }: Change): unknown {
  const credential: Credential = { id: toBase64Url(credentialId), type: 'public-key', response }
  return json ? json(credential) : credential
}

export function toBase64Url(content: Buffer): string {
  return content.toString('base64url')
}
