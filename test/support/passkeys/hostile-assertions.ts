// Assertions that no authenticator makes for this service, and requests that contain none.
import { randomBytes, sign } from 'node:crypto'
import { longHead } from './cbor.ts'
import { FLAG, newKeyPair, toBase64Url, type Change, type Credential, type Rewrite } from './parts.ts'

const flagged = (set: number, cleared = 0): Change => ({ parts: ({ flags }) => ({ flags: (flags | set) & ~cleared }) })
const inResponse =
  (changes: Record<string, unknown>): Rewrite =>
  (credential) => ({ ...credential, response: { ...credential.response, ...changes } })
const EMPTY = Buffer.alloc(0)

/** Rejected with the error of a wrong passkey */
export const ASSERTIONS: Readonly<Record<string, Change>> = {
  'the hash of another RP ID': { parts: () => ({ rpId: 'evil.example' }) },
  'no presence of the user': flagged(0, FLAG.UP),
  'no verification of the user': flagged(0, FLAG.UV),
  'that the passkey can no longer be backed up': flagged(0, FLAG.BE | FLAG.BS),
  'a backup of a passkey that cannot be backed up': flagged(0, FLAG.BE),
  'a new credential without its data': flagged(FLAG.AT),
  'extensions without their data': flagged(FLAG.ED),
  'a map of extensions without an end': {
    ...flagged(FLAG.ED),
    authData: (data) => Buffer.concat([data, longHead(5, 2n ** 64n - 1n)]),
  },
  'extensions with a length of eight bytes': {
    ...flagged(FLAG.ED),
    authData: (data) => Buffer.concat([data, longHead(5, 0n)]),
  },
  'trailing bytes in its data': { parts: () => ({ rest: Buffer.from([0]) }) },
  'data of 36 bytes': { authData: (data) => data.subarray(0, 36) },
  'no data': { json: inResponse({ authenticatorData: 'A' }) },
  'data that was not signed': { json: inResponse({ authenticatorData: toBase64Url(randomBytes(37)) }) },
  'client data that was not signed': {
    json: ({ response, ...credential }) => {
      const signed = Buffer.from(String(response['clientDataJSON']), 'base64url').toString()
      const clientDataJSON = toBase64Url(Buffer.from(signed.replace('{', '{ ')))
      return { ...credential, response: { ...response, clientDataJSON } }
    },
  },
  'a signature of another key': { signature: () => sign('sha256', randomBytes(69), newKeyPair().privateKey) },
  'a signature of one byte': { signature: () => Buffer.from([0]) },
  'a signature without its last byte': { signature: (right) => right.subarray(0, -1) },
  'a signature of zeros': { signature: () => Buffer.from('3006020100020100', 'hex') },
  'a signature without its numbers': { signature: () => Buffer.from('3000', 'hex') },
  'a signature of an indefinite length': { signature: (right) => Buffer.concat([Buffer.from('3080', 'hex'), right]) },
  'a signature of a false length': { signature: () => Buffer.from('3084ffffffff', 'hex') },
  'a signature of two plain numbers': { signature: () => randomBytes(64) },
  'a signature of 768 bytes': { signature: () => randomBytes(768) },
  'the handle of another account': { json: inResponse({ userHandle: toBase64Url(randomBytes(32)) }) },
  'a handle of one character': { json: inResponse({ userHandle: '-' }) },
  'a handle of 768 bytes': { json: inResponse({ userHandle: toBase64Url(randomBytes(768)) }) },
  'an unknown id': { json: (credential) => ({ ...credential, id: toBase64Url(randomBytes(32)) }) },
  'an id of 1,023 bytes': { json: (credential) => ({ ...credential, id: toBase64Url(randomBytes(1023)) }) },
  'an id of one character': { json: (credential) => ({ ...credential, id: '-' }) },
}

const counted = (counter: number): Change => ({
  parts: ({ flags }) => ({ counter, flags: flags & ~(FLAG.BE | FLAG.BS) }),
})

/** What an authenticator cannot report after what it has reported before */
export const AFTER_OTHERS: Readonly<Record<string, Readonly<{ made: Change; used: Change }>>> = {
  'a lower counter': { made: counted(5), used: counted(4) },
  'the same counter': { made: counted(5), used: counted(5) },
  'a counter that began again': { made: counted(2 ** 32 - 1), used: counted(0) },
  'that the passkey can now be backed up': { made: counted(0), used: {} },
  'that the passkey can no longer be backed up': { made: {}, used: counted(1) },
}

const responseOf =
  (response: unknown): Rewrite =>
  (credential: Credential) => ({ ...credential, response })

/** Rejected by the schema of the request */
export const MALFORMED: Readonly<Record<string, Change>> = {
  'no credential': { json: () => undefined },
  'null as a credential': { json: () => null },
  'a list as a credential': { json: (credential) => [credential] },
  'a text as a credential': { json: (credential) => JSON.stringify(credential) },
  'no response': { json: responseOf(undefined) },
  'a list as a response': { json: responseOf([]) },
  'an id that is a number': { json: (credential) => ({ ...credential, id: 1 }) },
  'an empty id': { json: (credential) => ({ ...credential, id: '' }) },
  'an id of 1,365 characters': { json: (credential) => ({ ...credential, id: 'A'.repeat(1365) }) },
  'an id in base64': { json: (credential) => ({ ...credential, id: 'a+b/' }) },
  'an id with a line feed': { json: (credential) => ({ ...credential, id: 'AAAA\n' }) },
  'client data of 4,097 characters': { json: inResponse({ clientDataJSON: 'A'.repeat(4097) }) },
  'client data that is a list': { json: inResponse({ clientDataJSON: ['AAAA'] }) },
  'empty client data': { parts: () => ({ clientData: EMPTY }) },
  '101 members': {
    json: (credential) => ({ ...credential, ...Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, at])) }),
  },
}

/** Of assertions alone */
export const MALFORMED_ASSERTIONS: Readonly<Record<string, Change>> = {
  'an empty signature': { signature: () => EMPTY },
  'a signature of 1,025 characters': { json: inResponse({ signature: 'A'.repeat(1025) }) },
  'a signature that is an object': { json: inResponse({ signature: {} }) },
  'data of 1,025 characters': { json: inResponse({ authenticatorData: 'A'.repeat(1025) }) },
  'empty data': { authData: () => EMPTY },
  'an empty handle': { json: inResponse({ userHandle: '' }) },
  'no handle': { json: inResponse({ userHandle: undefined }) },
  'null as a handle': { json: inResponse({ userHandle: null }) },
}

/** Of new credentials alone */
export const MALFORMED_ATTESTATIONS: Readonly<Record<string, Change>> = {
  'an empty attestation object': { object: () => EMPTY },
  'an attestation object of 4,097 characters': { json: inResponse({ attestationObject: 'A'.repeat(4097) }) },
  'an attestation object that is a number': { json: inResponse({ attestationObject: 1 }) },
  'transports in one text': { json: inResponse({ transports: 'usb,nfc' }) },
  'eleven transports': { json: inResponse({ transports: Array(11).fill('usb') }) },
  'a transport with a NUL': { json: inResponse({ transports: ['usb\0'] }) },
}
