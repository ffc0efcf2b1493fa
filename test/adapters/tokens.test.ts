// Which tokens are ours.
import fastify from 'fastify'
import { createHmac, sign, type KeyObject } from 'node:crypto'
import t from 'tap'
import { newKeys, parseKeys, type TokenKey } from '../../src/adapters/keys.ts'
import { jwtTokens, type Tokens } from '../../src/adapters/tokens.ts'

const SESSION = '4ad6823c-de87-4615-8b90-dc9f1dc8fb53'
const NOW_MS = 1_800_000_000_000
const NOW = NOW_MS / 1000

let shiftMs = 0
const clock = { nowMs: () => NOW_MS + shiftMs, shiftMs: () => shiftMs }
const [current] = parseKeys(newKeys(), 'test').tokens
const [previous] = parseKeys(newKeys(), 'test').tokens
const [stranger] = parseKeys(newKeys(), 'test').tokens

function tokensOf(...keys: [TokenKey, ...TokenKey[]]): Promise<Tokens> {
  return jwtTokens(fastify(), { keys, issuer: 'us', audience: 'them', lifeSeconds: 3600, clock })
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** A token that is right but for what is given. */
function token(given: { header?: object; claims?: object; key?: KeyObject } = {}): string {
  const header = { alg: 'EdDSA', typ: 'at+jwt', kid: current.kid, ...given.header }
  const claims = { iss: 'us', aud: 'them', sub: '7', sid: SESSION, jti: 'j', iat: NOW, exp: NOW + 60, ...given.claims }
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${sign(null, Buffer.from(input), given.key ?? current.privateKey).toString('base64url')}`
}

const tokens = await tokensOf(current, previous)

void t.test('a token that it issued', (t) => {
  t.same(tokens.read(tokens.issue({ accountId: 7, sessionId: SESSION })), { accountId: 7, sessionId: SESSION })
  t.same(tokens.read(token()), { accountId: 7, sessionId: SESSION }, 'and one made by hand like it')
  t.end()
})

void t.test('a token of the previous key, while it is there', async (t) => {
  const old = (await tokensOf(previous)).issue({ accountId: 7, sessionId: SESSION })
  t.same(tokens.read(old), { accountId: 7, sessionId: SESSION })
  const without = await tokensOf(current)
  t.throws(() => void without.read(old), { code: 'token_invalid' })
})

const pem = current.publicKey.export({ type: 'spki', format: 'pem' })
const symmetric = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: current.kid })}.${token().split('.')[1] ?? ''}`

const refused: Record<string, string> = {
  'no signature, alg none': `${encode({ alg: 'none', typ: 'at+jwt', kid: current.kid })}.${token().split('.')[1] ?? ''}.`,
  'no signature': `${token().split('.').slice(0, 2).join('.')}.`,
  'the public key as a secret': `${symmetric}.${createHmac('sha256', pem).update(symmetric).digest('base64url')}`,
  'an unknown key': token({ header: { kid: stranger.kid }, key: stranger.privateKey }),
  'the name of our key on another': token({ key: stranger.privateKey }),
  'a key that it brings': token({ header: { jwk: stranger.jwk }, key: stranger.privateKey }),
  'a place to get a key from': token({ header: { jku: 'https://evil.example/jwks' } }),
  'a path as the name of a key': token({ header: { kid: '../../etc/passwd' } }),
  'no name of a key': token({ header: { kid: undefined } }),
  'an extension that must be understood': token({ header: { crit: ['x'], x: 1 } }),
  'another type': token({ header: { typ: 'JWT' } }),
  'another issuer': token({ claims: { iss: 'you' } }),
  'another audience': token({ claims: { aud: 'you' } }),
  'many audiences': token({ claims: { aud: ['them', 'you'] } }),
  'no session': token({ claims: { sid: undefined } }),
  'a session that is none': token({ claims: { sid: "x' OR 1=1 --" } }),
  'a subject that is no account': token({ claims: { sub: '0' } }),
  'a number as the subject': token({ claims: { sub: 7 } }),
  'no end': token({ claims: { exp: undefined } }),
  'an end that is no number': token({ claims: { exp: '9999999999' } }),
  'an end without end': token({ claims: { exp: 1e999 } }),
  'a beginning in the future': token({ claims: { iat: NOW + 120 } }),
  'no text': '',
  'no dots': 'token',
}

for (const [title, text] of Object.entries(refused)) {
  void t.test(`refused: ${title}`, (t) => {
    t.throws(() => void tokens.read(text), { code: 'token_invalid' })
    t.end()
  })
}

void t.test('a token ends when its time is over, seen before or not', (t) => {
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

void t.test('the public keys: the signing one first, and no private part', (t) => {
  t.same(
    tokens.jwks.keys.map(({ kid }) => kid),
    [current.kid, previous.kid],
  )
  t.notOk(JSON.stringify(tokens.jwks.keys).includes('"d"'))
  t.end()
})
