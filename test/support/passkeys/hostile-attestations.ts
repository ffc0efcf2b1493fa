// New credentials that no authenticator makes for this service.
import { randomBytes } from 'node:crypto'
import { array, bytes, int, longHead, map, nested, NULL, text } from './cbor.ts'
import { attestationObject, FLAG, type Change } from './parts.ts'

/** Of CBOR, in base64url within 4,096 characters */
const DEPTH = 3000
const EVERY = 2n ** 64n - 1n

const flagged = (set: number, cleared = 0): Change => ({ parts: ({ flags }) => ({ flags: (flags | set) & ~cleared }) })
const object = (content: Buffer): Change => ({ object: () => content })
const publicKey = (key: Buffer): Change => ({ parts: () => ({ publicKey: key }) })
const idOf = (length: number): Change => ({ parts: () => ({ credentialId: randomBytes(length), idLength: length }) })
const statement = (fmt: Buffer, attStmt: Buffer): Change => ({
  object: (authData) => map(text('fmt'), fmt, text('attStmt'), attStmt, text('authData'), bytes(authData)),
})
const followed = (rest: Buffer): Change => ({
  parts: ({ flags }) => ({ flags: flags | FLAG.ED, rest }),
})

/** The parameters of a key: EC2, P-256 and a point */
const EC2 = [int(1), int(2)]
const P256 = [int(-1), int(1)]
const POINT = [int(-2), bytes(randomBytes(32)), int(-3), bytes(randomBytes(32))]
const ALG = int(3)

/** Attestation statements that were never asked for, each without what it needs */
const FORMATS = ['packed', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet', 'apple', 'compound', 'unknown', '']
const junk = map(text('alg'), int(-7), text('sig'), bytes(randomBytes(70)), text('x5c'), array(bytes(randomBytes(99))))

export const ATTESTATIONS: Readonly<Record<string, Change>> = {
  'the hash of another RP ID': { parts: () => ({ rpId: 'evil.example' }) },
  'no presence of the user': flagged(0, FLAG.UP),
  'no verification of the user': flagged(0, FLAG.UV),
  'a backup of a passkey that cannot be backed up': flagged(0, FLAG.BE),
  'no new credential': flagged(0, FLAG.AT),
  'extensions without their data': flagged(FLAG.ED),
  'nested extensions': followed(nested(DEPTH - 300)),
  'a map of extensions without an end': followed(longHead(5, EVERY)),
  'trailing bytes in its data': { parts: () => ({ rest: Buffer.from([0]) }) },
  'data of 36 bytes': { authData: (data) => data.subarray(0, 36) },
  'data that ends within the id': { authData: (data) => data.subarray(0, 60) },
  'data that ends before the key': { authData: (data) => data.subarray(0, 87) },
  'data that ends within the key': { authData: (data) => data.subarray(0, 120) },
  'an empty id': idOf(0),
  'an id of 1,024 bytes': idOf(1024),
  'an id of 2,750 bytes': idOf(2750),
  'an id of a false length': { parts: () => ({ idLength: 65_535 }) },
  'an id of a length of one less': { parts: ({ credentialId: { length } }) => ({ idLength: length - 1 }) },
  'nested lists': object(nested(DEPTH)),
  'nested maps': object(Buffer.concat([Buffer.alloc(DEPTH, 0xa1), int(0)])),
  'nested tags': object(Buffer.concat([Buffer.alloc(DEPTH, 0xc1), int(0)])),
  'a list without an end': object(longHead(4, EVERY)),
  'a map without an end': object(longHead(5, EVERY)),
  'bytes without an end': object(longHead(2, EVERY)),
  'a text without an end': object(longHead(3, EVERY)),
  'a list of an indefinite length': object(Buffer.from([0x9f])),
  'only a break': object(Buffer.from([0xff])),
  'a reserved length': object(Buffer.from([0x5d, 0, 0])),
  'only a number': object(int(1)),
  'only null': object(NULL),
  'only NaN': object(Buffer.from('f97e00', 'hex')),
  'an empty map': object(map()),
  'a text that is not UTF-8': object(map(Buffer.from([0x63, 0xff, 0xfe, 0xfd]), int(1))),
  'no authenticator data': object(map(text('fmt'), text('none'), text('attStmt'), map())),
  'authenticator data that is a text': object(
    map(text('fmt'), text('none'), text('attStmt'), map(), text('authData'), text('x'.repeat(200))),
  ),
  'no format': { object: (data) => map(text('attStmt'), map(), text('authData'), bytes(data)) },
  'a format that is a number': statement(int(1), map()),
  'no statement': { object: (data) => map(text('fmt'), text('none'), text('authData'), bytes(data)) },
  'a statement without a format': statement(text('none'), junk),
  'nested statements': statement(text('none'), nested(DEPTH - 300)),
  'authenticator data twice': {
    object: (data) =>
      Buffer.concat([Buffer.from([0xa4]), attestationObject(data).subarray(1), text('authData'), int(1)]),
  },
  'a map with a length of eight bytes': {
    object: (data) => Buffer.concat([longHead(5, 3n), attestationObject(data).subarray(1)]),
  },
  ...Object.fromEntries(FORMATS.map((each) => [`a statement of the format "${each}"`, statement(text(each), junk)])),
}

/** Keys that can verify no signature of an algorithm that the service has asked for */
export const KEYS: Readonly<Record<string, Change>> = {
  'no key': publicKey(Buffer.alloc(0)),
  'a key that is a number': publicKey(int(1)),
  'a key that is null': publicKey(NULL),
  'a key that is a list': publicKey(array(int(1), int(2), int(3), int(-7))),
  'an empty key': publicKey(map()),
  'a nested key': publicKey(nested(DEPTH - 300)),
  'a key of an unknown length': publicKey(Buffer.concat([longHead(5, EVERY), ...EC2])),
  'a key without an algorithm': publicKey(map(...EC2, ...P256, ...POINT)),
  'a key with an algorithm in a text': publicKey(map(...EC2, ALG, text('ES256'), ...P256, ...POINT)),
  'a key of ES384': publicKey(map(...EC2, ALG, int(-35), int(-1), int(2), ...POINT)),
  'a key of RS1': publicKey(map(int(1), int(3), ALG, int(-65_535), int(-1), bytes(randomBytes(256)), int(-2), int(3))),
  'a key of PS256': publicKey(map(int(1), int(3), ALG, int(-37), int(-1), bytes(randomBytes(256)), int(-2), int(3))),
  'a key of an HMAC': publicKey(map(int(1), int(4), ALG, int(5), int(-1), bytes(randomBytes(32)))),
  'a key of ML-DSA': publicKey(map(int(1), int(7), ALG, int(-48), int(-1), bytes(randomBytes(64)))),
  'a key with long numbers': publicKey(
    Buffer.concat([Buffer.from([0xa5]), longHead(0, 1n), longHead(0, 2n), ALG, int(-7), ...P256, ...POINT]),
  ),
  'a key with two algorithms': publicKey(map(...EC2, ALG, int(-257), ALG, int(-7), ...P256, ...POINT)),
  'a key with trailing bytes': publicKey(Buffer.concat([map(...EC2, ALG, int(-7), ...P256, ...POINT), int(0)])),
  'a key of an algorithm alone': publicKey(map(ALG, int(-7))),
  'a key without its curve': publicKey(map(...EC2, ALG, int(-7), ...POINT)),
  'a key on no curve': publicKey(map(...EC2, ALG, int(-7), ...P256, ...POINT)),
  'a key of another curve': publicKey(map(...EC2, ALG, int(-7), int(-1), int(8), ...POINT)),
  'a key with half a point': publicKey(map(...EC2, ALG, int(-7), ...P256, ...POINT.slice(0, 2))),
  'a key with a short point': publicKey(
    map(...EC2, ALG, int(-7), ...P256, int(-2), bytes(randomBytes(8)), int(-3), bytes(randomBytes(8))),
  ),
  'a key with a point of zeros': publicKey(
    map(...EC2, ALG, int(-7), ...P256, int(-2), bytes(Buffer.alloc(32)), int(-3), bytes(Buffer.alloc(32))),
  ),
  'a key with texts as a point': publicKey(map(...EC2, ALG, int(-7), ...P256, int(-2), text('x'), int(-3), text('y'))),
  'a key of EdDSA on another curve': publicKey(
    map(int(1), int(1), ALG, int(-8), int(-1), int(4), ...POINT.slice(0, 2)),
  ),
  'a key of EdDSA of one byte': publicKey(
    map(int(1), int(1), ALG, int(-8), int(-1), int(6), int(-2), bytes(randomBytes(1))),
  ),
  'a key of RS256 of 1,024 bits': publicKey(
    map(int(1), int(3), ALG, int(-257), int(-1), bytes(randomBytes(128)), int(-2), bytes(Buffer.from([1, 0, 1]))),
  ),
  'a key of RS256 without its modulus': publicKey(
    map(int(1), int(3), ALG, int(-257), int(-2), bytes(Buffer.from([1, 0, 1]))),
  ),
}
