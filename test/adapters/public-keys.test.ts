// Public keys of passkeys from other systems.
import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import t from 'tap'
import { publicKeyCheck } from '../../src/adapters/passkeys/public-keys.ts'
import { ALGORITHMS } from '../../src/adapters/passkeys/verification.ts'

type Entries = [number, number | Uint8Array][]

const jwkOf = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' })
const bytesOf = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))
const cose = (entries: Entries): Uint8Array<ArrayBuffer> => new Uint8Array(isoCBOR.encode(new Map(entries)))

const ed25519 = jwkOf(generateKeyPairSync('ed25519').publicKey)
const ec = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
const rsaOf = (modulusLength: number): Entries => {
  const { n, e } = jwkOf(generateKeyPairSync('rsa', { modulusLength }).publicKey)
  return [[1, 3], [3, -257], [-1, bytesOf(n)], [-2, bytesOf(e)]] // prettier-ignore
}
const EDDSA: Entries = [[1, 1], [3, -8], [-1, 6], [-2, bytesOf(ed25519.x)]] // prettier-ignore
const ES256: Entries = [[1, 2], [3, -7], [-1, 1], [-2, bytesOf(ec.x)], [-3, bytesOf(ec.y)]] // prettier-ignore

/** Returns a key with other values of some labels. */
function changed(entries: Entries, ...others: Entries): Uint8Array<ArrayBuffer> {
  return cose([...new Map([...entries, ...others])])
}

void t.test('accepts the keys of the algorithms that passkeys are created with', async (t) => {
  const check = await publicKeyCheck()
  const RS256 = rsaOf(2048)
  const keys = [EDDSA, ES256, RS256]
  for (const entries of keys) t.equal(check(cose(entries)), 'valid')
  t.same(
    keys.map((entries) => new Map(entries).get(3)),
    ALGORITHMS,
  )
})

void t.test('rejects other algorithms, short RSA keys and damaged keys', async (t) => {
  const check = await publicKeyCheck()
  t.equal(check(changed(ES256, [3, -35])), 'unsupported algorithm', 'ES384')
  t.equal(check(cose(rsaOf(1024))), 'unsupported algorithm', 'RSA with 1,024 bits')
  const damaged: [string, Uint8Array<ArrayBuffer>][] = [
    ['empty', new Uint8Array()],
    ['no CBOR', new Uint8Array([0xff, 0xff])],
    ['no map', new Uint8Array(isoCBOR.encode(7))],
    ['nested', new Uint8Array(768).fill(0x81)],
    ['no algorithm', cose([[1, 2]])],
    ['another type', changed(ES256, [1, 3])],
    ['another curve', changed(ES256, [-1, 2])],
    ['a point off the curve', changed(ES256, [-3, new Uint8Array(32).fill(1)])],
    ['a short coordinate', changed(ES256, [-2, new Uint8Array(31)])],
    ['a number as coordinate', changed(ES256, [-2, 7])],
    ['a long Ed25519 key', changed(EDDSA, [-2, new Uint8Array(33)])],
    ['cut', cose(ES256).slice(0, 40)],
  ]
  for (const [name, bytes] of damaged) t.equal(check(bytes), 'damaged', name)
})
