// Which key files are accepted, and which values are derived from their keys.
import t from 'tap'
import { isPrivate } from '../../../src/adapters/keys/private-file.ts'
import { hmacCodes } from '../../../src/adapters/tokens/otp-codes.ts'
import { signedLinks } from '../../../src/adapters/files/links.ts'
import { newKeys, parseKeyFile, parseKeys, serializeKeyFile } from '../../../src/adapters/keys/index.ts'
import { newKeyFile } from '../../../src/adapters/keys/new-keys.ts'
import { hmacRefreshTokens } from '../../../src/adapters/tokens/refresh-tokens.ts'
import { SECRET_KINDS, sharedKeys } from '../../support/processes/key-files.ts'

const CLOCK = { nowMs: () => 1_800_000_000_000, shiftMs: () => 0 }
const CLAIMS = { sessionId: '4ad6823c-de87-4615-8b90-dc9f1dc8fb53', generation: 3 }
const WINDOW = {
  windowId: '0b51c0a2-5f10-4f0e-9a30-7b1f3f2c8d11',
  phone: '+966512345678',
  purpose: 'verification',
} as const

/** The secret in a key file of an earlier version, and the values that version derived from it */
const SHARED = {
  otp: 'AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o',
  code: '956750',
  refreshToken: 'StaCPN6HRhWLkNyfHcj7UwAAAANIUdKQIm3EfL2Sg9pQ3EpUcthEsbNslBaR1-v7E0LmgA',
  link: '?expires=1800000900&signature=3Pqymrsu2vV-ZQ6kwJg9EzlQHtDjiA3HjFpDdYfUwRk',
}

void t.test('generates a separate key for each purpose', (t) => {
  const { tokens, codes, links, refreshTokens } = parseKeys(newKeys(), 'test')
  t.equal(tokens.length, 1)
  const secrets = [codes, links, refreshTokens].map((all) => all.map((secret) => Buffer.from(secret).toString('hex')))
  t.same(
    secrets.map(({ length }) => length),
    [1, 1, 1],
  )
  t.equal(new Set(secrets.flat()).size, 3)
  t.end()
})

void t.test('derives the same values from a shared secret after the file is rewritten', (t) => {
  const { tokens } = newKeyFile(Date.now())
  const text = JSON.stringify({ tokens, otp: SHARED.otp })
  const upgraded = serializeKeyFile(parseKeyFile(text, 'test'))
  t.notMatch(upgraded, '"otp":')
  for (const keys of [parseKeys(text, 'test'), parseKeys(upgraded, 'test')]) {
    const codes = hmacCodes(keys.codes, new Map())
    t.equal(codes.codeFor(WINDOW), SHARED.code)
    t.equal(codes.isRight(WINDOW, SHARED.code), true)
    const refreshTokens = hmacRefreshTokens(keys.refreshTokens)
    t.equal(refreshTokens.issue(CLAIMS), SHARED.refreshToken)
    t.same(refreshTokens.read(SHARED.refreshToken), CLAIMS)
    t.match(signedLinks(keys.links, CLOCK).linkTo({ id: WINDOW.windowId, kind: 'logo' }, ''), SHARED.link)
    t.equal(keys.tokens[0].kid, tokens[0]?.kid)
  }
  t.end()
})

void t.test('rejects invalid key files and names the fault', (t) => {
  const good = newKeyFile(Date.now())
  const isRefused = (file: unknown, complaint: RegExp): void => {
    t.throws(() => parseKeys(JSON.stringify(file), 'KEYS'), { name: 'StartupError', message: complaint })
  }
  for (const kind of SECRET_KINDS) {
    const [key] = good[kind]
    const { [kind]: _, ...without } = good
    isRefused(without, new RegExp(`^KEYS is invalid at /${kind}: `))
    isRefused({ ...good, [kind]: [] }, new RegExp(`^KEYS is invalid at /${kind}: `))
    isRefused({ ...good, [kind]: [{ ...key, k: 'short' }] }, new RegExp(`^KEYS is invalid at /${kind}/0/k: `))
    isRefused({ ...good, [kind]: [key, { ...key, k: 'A'.repeat(43) }] }, /^KEYS has two keys with the same kid/)
    isRefused({ ...good, [kind]: [{ ...key, k: 'A'.repeat(43) }] }, /^KEYS contains a weak key/)
    isRefused(
      { ...good, [kind]: [key, { ...key, kid: 'other', k: 'AAEC'.repeat(11).slice(1) }] },
      /^KEYS contains a weak/,
    )
  }
  isRefused({ ...good, otp: SHARED.otp }, /^KEYS has both otp and the keys that replace it\. Remove otp\./)
  isRefused({ ...JSON.parse(sharedKeys()), otp: 'short' }, /^KEYS is invalid at \/otp: /)
  for (const text of [null, 1, 'otp', []]) isRefused(text, /^KEYS is invalid at \//)
  t.end()
})

void t.test('accepts key pairs of both algorithms whose parts belong together', (t) => {
  const [good, other] = [newKeyFile(Date.now(), 'ES256'), newKeyFile(Date.now(), 'ES256')]
  const [[es256], [another], [eddsa]] = [good.tokens, other.tokens, newKeyFile(Date.now()).tokens]
  const withTokens = (...tokens: unknown[]): string => JSON.stringify({ ...good, tokens })
  t.same(
    parseKeys(withTokens(es256, eddsa), 'KEYS').tokens.map(({ jwk }) => jwk.alg),
    ['ES256', 'EdDSA'],
  )
  const wrong: Record<string, unknown> = {
    'no second coordinate': { ...es256, y: undefined },
    'the first coordinate of another key': { ...es256, x: another?.x },
    'the private part of another key': { ...es256, d: another?.d },
    'another type': { ...es256, kty: 'OKP' },
    'another curve': { ...es256, crv: 'Ed25519' },
    'no point of the curve': { ...es256, y: es256?.x },
    'the type of ES256': { ...eddsa, kty: 'EC' },
    'the curve of ES256': { ...eddsa, crv: 'P-256' },
    'the public part of another key': { ...eddsa, x: newKeyFile(Date.now()).tokens[0]?.x },
  }
  for (const [name, key] of Object.entries(wrong)) {
    const complaint = {
      name: 'StartupError',
      message: /^KEYS: the public and private parts of the key k-\S+ do not match/,
    }
    t.throws(() => parseKeys(withTokens(key), 'KEYS'), complaint, name)
  }
  t.throws(() => parseKeys(withTokens({ ...es256, crv: 'P-384' }), 'KEYS'), {
    message: /invalid at \/tokens\/0\/crv: /,
  })
  t.end()
})

void t.test('a key file is readable by its owner only, or by the group if root provides it', (t) => {
  const [ROOT, READER] = [0, 65532]
  const cases = [
    { mode: 0o100600, uid: READER, isAllowed: true },
    { mode: 0o100640, uid: READER, isAllowed: false },
    { mode: 0o100440, uid: ROOT, isAllowed: true },
    { mode: 0o100640, uid: ROOT, isAllowed: true },
    { mode: 0o100660, uid: ROOT, isAllowed: false },
    { mode: 0o100644, uid: ROOT, isAllowed: false },
  ]
  for (const { isAllowed, ...file } of cases) t.equal(isPrivate(file), isAllowed, JSON.stringify(file))
  t.end()
})
