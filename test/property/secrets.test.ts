// Values that were made with a key are accepted while the key is known, in any order of the keys.
import { createHash, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { hmacCodes, type Codes } from '../../src/adapters/tokens/otp-codes.ts'
import { signedLinks } from '../../src/adapters/files/links.ts'
import type { Secrets } from '../../src/adapters/keys/index.ts'
import { hmacRefreshTokens, resetTokens } from '../../src/adapters/tokens/refresh-tokens.ts'
import { LIMITS } from '../../generated/limits.ts'

const CLOCK = { nowMs: () => Date.now(), shiftMs: () => 0 }
const PHONE = '+966512345678'
/** Of so many random codes, each digit is in each place. */
const MANY = 1000

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 })
/** The keys of two instances, some of which are the same */
const twoInstances = fc
  .tuple(fc.uniqueArray(secret, { minLength: 1, maxLength: 4, selector: String }), fc.nat(), fc.nat(), fc.nat())
  .map(([all, rotation, first, second]) => {
    const turned = [...all.slice(rotation % all.length), ...all.slice(0, rotation % all.length)]
    return [all.slice(0, 1 + (first % all.length)), turned.slice(0, 1 + (second % all.length))] as unknown as [
      Secrets,
      Secrets,
    ]
  })

function knows(secrets: Secrets, [wanted]: Secrets): boolean {
  return secrets.some((each) => Buffer.compare(each, wanted) === 0)
}

void t.test('accepts refresh tokens and links if the key is known', async (t) => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(twoInstances, fc.uuid(), fc.nat(), async ([maker, reader], sessionId, generation) => {
        const claims = { sessionId, generation }
        const token = hmacRefreshTokens(maker).issue(claims)
        t.same(hmacRefreshTokens(reader).read(token), knows(reader, maker) ? claims : undefined)

        const link = new URL(
          signedLinks(maker, CLOCK).linkTo({ id: sessionId, kind: 'logo' }, sessionId),
          'https://x.example',
        )
        const { expires, signature = '' } = Object.fromEntries(link.searchParams)
        const given = { expires: Number(expires), signature }
        t.equal(signedLinks(reader, CLOCK).isValid(sessionId, given), knows(reader, maker))
      }),
    ),
  )
})

void t.test('derives one code per window on every instance with its key', async (t) => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(twoInstances, async ([maker, other]) => {
        const [codes, others] = [hmacCodes(maker, new Map()), hmacCodes(other, new Map())]
        const window = { windowId: codes.newWindowId(), phone: PHONE, purpose: 'verification' } as const
        const code = codes.codeFor(window)
        t.ok(codes.isRight(window, code))
        if (knows(other, maker)) t.same([others.codeFor(window), others.isRight(window, code)], [code, true])
        t.equal(rightCodes(codes, window, [maker, other]).size, 1)
      }),
      { numRuns: 50 },
    ),
  )
})

/** The accepted codes among all codes that the keys derive for a window */
function rightCodes(codes: Codes, window: Parameters<Codes['codeFor']>[0], keys: Secrets[]): Set<string> {
  const candidates = keys.flat().map((key) => hmacCodes([key], new Map()).codeFor(window))
  return new Set(candidates.filter((code) => codes.isRight(window, code)))
}

void t.test('accepts codes of any key for windows without a mark', async (t) => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(twoInstances, async ([secrets]) => {
        const window = { windowId: randomUUID(), phone: PHONE, purpose: 'verification' } as const
        for (const key of secrets) {
          const code = hmacCodes([key], new Map()).codeFor(window)
          t.ok(hmacCodes(secrets, new Map()).isRight(window, code))
        }
      }),
      { numRuns: 20 },
    ),
  )
})

void t.test('creates unique window ids and fixed codes of test numbers', (t) => {
  const codes = hmacCodes([Buffer.alloc(32, 1), Buffer.alloc(32, 2)], new Map([[PHONE, '123456']]))
  const ids = Array.from({ length: MANY }, () => codes.newWindowId())
  for (const id of ids.slice(0, 10))
    t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.equal(new Set(ids).size, ids.length)
  const window = { windowId: codes.newWindowId(), phone: PHONE, purpose: 'verification' } as const
  t.equal(codes.codeFor(window), '123456')
  t.same([codes.isRight(window, '123456'), codes.isRight(window, '654321')], [true, false])
  t.end()
})

void t.test('derives codes with every digit in each of six places', (t) => {
  const codes = hmacCodes([Buffer.alloc(32, 1)], new Map())
  const derived = Array.from({ length: MANY }, () =>
    codes.codeFor({ windowId: codes.newWindowId(), phone: PHONE, purpose: 'reset' }),
  )
  t.same([LIMITS.otp.digits, ...new Set(derived.map(({ length }) => length))], [6, 6])
  for (let place = 0; place < LIMITS.otp.digits; place++)
    t.equal(new Set(derived.map((code) => code[place])).size, 10, `place ${place}`)
  t.end()
})

void t.test('derives another code for another number and another purpose of a window', (t) => {
  const codes = hmacCodes([Buffer.alloc(32, 1)], new Map())
  const window = { windowId: '0f0e5cc8-6d5b-4e51-9c38-2a0a4f1f1c55', phone: PHONE, purpose: 'verification' } as const
  const code = codes.codeFor(window)
  const equal = [{ phone: '+966512345679' }, { purpose: 'reset' } as const].map((other) =>
    codes.isRight({ ...window, ...other }, code),
  )
  t.same(equal, [false, false])
  t.end()
})

void t.test('creates reset tokens of 256 random bits, and hashes them with SHA-256', (t) => {
  const tokens = Array.from({ length: MANY }, () => resetTokens.newToken())
  t.equal(new Set(tokens).size, MANY)
  for (const token of tokens.slice(0, 10)) {
    t.equal(Buffer.from(token, 'base64url').length * 8, 256)
    t.same(Buffer.from(resetTokens.hash(token)), createHash('sha256').update(token).digest())
  }
  t.end()
})
