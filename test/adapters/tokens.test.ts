// Which access tokens are accepted.
import fastify from 'fastify'
import { createHmac, sign, type KeyObject } from 'node:crypto'
import t from 'tap'
import { newKeys, parseKeys, type TokenKey } from '../../src/adapters/keys/index.ts'
import { jwtTokens, type Tokens } from '../../src/adapters/tokens/access-tokens.ts'

const SESSION = '4ad6823c-de87-4615-8b90-dc9f1dc8fb53'
const NOW_MS = 1_800_000_000_000
const NOW = NOW_MS / 1000

let shiftMs = 0
const clock = { nowMs: () => NOW_MS + shiftMs, shiftMs: () => shiftMs }
const [current] = parseKeys(newKeys(), 'test').tokens
const [previous] = parseKeys(newKeys(), 'test').tokens
const [unknownKey] = parseKeys(newKeys(), 'test').tokens
const [elliptic] = parseKeys(newKeys('ES256'), 'test').tokens

function tokensOf(...keys: [TokenKey, ...TokenKey[]]): Promise<Tokens> {
  return jwtTokens(fastify(), { keys, issuer: 'us', audience: 'them', lifeSeconds: 3600, clock })
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** Returns a token that is valid except for the given parts. Signatures of ES256 are two numbers (RFC 7518, 3.4), not DER. */
function token(given: { header?: object; claims?: object; key?: KeyObject; isDer?: boolean } = {}): string {
  const header = { alg: 'EdDSA', typ: 'at+jwt', kid: current.kid, ...given.header }
  const claims = { iss: 'us', aud: 'them', sub: '7', sid: SESSION, jti: 'j', iat: NOW, exp: NOW + 60, ...given.claims }
  const input = `${encode(header)}.${encode(claims)}`
  const key = given.key ?? current.privateKey
  const hash = key.asymmetricKeyType === 'ec' ? 'sha256' : null
  const signature = sign(hash, Buffer.from(input), { key, dsaEncoding: given.isDer ? 'der' : 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

/** Parts of a token for ES256 */
const ES256 = { header: { alg: 'ES256', kid: elliptic.kid }, key: elliptic.privateKey }

const tokens = await tokensOf(current, previous, elliptic)

void t.test('reads a token that it issued', (t) => {
  t.same(tokens.read(tokens.issue({ accountId: 7, sessionId: SESSION })), { accountId: 7, sessionId: SESSION })
  t.same(
    tokens.read(token()),
    { accountId: 7, sessionId: SESSION },
    'an equal token that was built by the test is accepted',
  )
  t.end()
})

void t.test('issues another token at each call', (t) => {
  const bearer = { accountId: 7, sessionId: SESSION }
  t.not(tokens.issue(bearer), tokens.issue(bearer))
  t.end()
})

void t.test('accepts tokens of the previous key until it is removed', async (t) => {
  const old = (await tokensOf(previous)).issue({ accountId: 7, sessionId: SESSION })
  t.same(tokens.read(old), { accountId: 7, sessionId: SESSION })
  const without = await tokensOf(current)
  t.throws(() => void without.read(old), { code: 'token_invalid' })
})

void t.test('reads and issues tokens of both algorithms', async (t) => {
  const bearer = { accountId: 7, sessionId: SESSION }
  t.same(tokens.read(token(ES256)), bearer)
  const others = await tokensOf(elliptic, current)
  t.same(tokens.read(others.issue(bearer)), bearer)
  t.same(others.read(tokens.issue(bearer)), bearer)
  t.same(
    others.jwks.keys.map(({ kty, crv, alg, y }) => [kty, crv, alg, y?.length]),
    [
      ['EC', 'P-256', 'ES256', 43],
      ['OKP', 'Ed25519', 'EdDSA', undefined],
    ],
  )
})

/** Returns a token that is signed with the public key of a pair, as if it were a secret. */
function withSecret({ publicKey, kid }: TokenKey): string {
  const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${token().split('.')[1] ?? ''}`
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`
}

const refused: Record<string, string> = {
  'a token without a signature and with alg none': `${encode({ alg: 'none', typ: 'at+jwt', kid: current.kid })}.${token().split('.')[1] ?? ''}.`,
  'a token without a signature': `${token().split('.').slice(0, 2).join('.')}.`,
  'a signature with the public key as a secret': withSecret(current),
  'a signature with the public key for ES256 as a secret': withSecret(elliptic),
  'a key of ES256 for EdDSA': token({ header: { kid: elliptic.kid } }),
  'a key of EdDSA for ES256': token({ header: { alg: 'ES256' } }),
  'a key of ES256 with the id of one of EdDSA': token({ ...ES256, header: { alg: 'ES256', kid: current.kid } }),
  'a key of EdDSA with the id of one of ES256': token({ header: ES256.header }),
  'a signature in DER': token({ ...ES256, isDer: true }),
  'another algorithm of the same key': token({ ...ES256, header: { ...ES256.header, alg: 'ES384' } }),
  'another key for ES256': token({ ...ES256, key: parseKeys(newKeys('ES256'), 'test').tokens[0].privateKey }),
  'an unknown key': token({ header: { kid: unknownKey.kid }, key: unknownKey.privateKey }),
  'a known key id on an unknown key': token({ key: unknownKey.privateKey }),
  'a key in the header': token({ header: { jwk: unknownKey.jwk }, key: unknownKey.privateKey }),
  'a URL of a key in the header': token({ header: { jku: 'https://evil.example/jwks' } }),
  'a path as a key id': token({ header: { kid: '../../etc/passwd' } }),
  'a missing key id': token({ header: { kid: undefined } }),
  'an unknown critical extension': token({ header: { crit: ['x'], x: 1 } }),
  'another type': token({ header: { typ: 'JWT' } }),
  'another issuer': token({ claims: { iss: 'you' } }),
  'another audience': token({ claims: { aud: 'you' } }),
  'many audiences': token({ claims: { aud: ['them', 'you'] } }),
  'a missing session id': token({ claims: { sid: undefined } }),
  'an invalid session id': token({ claims: { sid: "x' OR 1=1 --" } }),
  'a subject that is not an account id': token({ claims: { sub: '0' } }),
  'a number as the subject': token({ claims: { sub: 7 } }),
  'a missing expiry': token({ claims: { exp: undefined } }),
  'an expiry that is not a number': token({ claims: { exp: '9999999999' } }),
  'an infinite expiry': token({ claims: { exp: 1e999 } }),
  'an issue time in the future': token({ claims: { iat: NOW + 120 } }),
  'an empty string': '',
  'a string without dots': 'token',
}

for (const [title, text] of Object.entries(refused)) {
  void t.test(`rejects ${title}`, (t) => {
    t.throws(() => void tokens.read(text), { code: 'token_invalid' })
    t.end()
  })
}

void t.test('rejects expired tokens, cached or not', (t) => {
  const seen = token({ claims: { jti: 'seen' } })
  tokens.read(seen)
  shiftMs = 60_000
  t.throws(() => void tokens.read(seen), { code: 'token_expired' })
  t.throws(() => void tokens.read(token({ claims: { jti: 'unseen' } })), { code: 'token_expired' })
  shiftMs = 59_000
  t.ok(tokens.read(seen))
  shiftMs = 0
  t.end()
})

void t.test('lists public keys only, starting with the signing one', (t) => {
  t.same(
    tokens.jwks.keys.map(({ kid }) => kid),
    [current.kid, previous.kid, elliptic.kid],
  )
  t.notOk(JSON.stringify(tokens.jwks.keys).includes('"d"'))
  t.end()
})
