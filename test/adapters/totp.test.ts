import t from 'tap'
import { resealTotp, totp, type Totp } from '../../src/adapters/tokens/totp.ts'
import { codeAt } from '../support/accounts/second-factors.ts'

const key = (seed: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, at) => (at * 7 + seed) % 256)
const accountId = 7
/** The start of a time step */
const START_MS = 1_795_600_800_000
const SECOND_MS = 1000

async function created(apps: Totp): Promise<{ secret: string; sealed: Uint8Array<ArrayBuffer> }> {
  const found = await apps.newSecret(accountId)
  if (!found) throw new Error('there is no key')
  return found
}

void t.test('accepts a code in its time step and in the ones beside it', async (t) => {
  const apps = totp([key(1)])
  const { secret, sealed } = await created(apps)
  const step = START_MS / 30_000
  const code = codeAt(secret, START_MS)
  const at = (seconds: number): Promise<number | undefined> =>
    apps.findStep(code, sealed, { accountId, nowMs: START_MS + seconds * SECOND_MS })
  for (const seconds of [-30, -29, 0, 29, 31, 59]) t.equal(await at(seconds), step, `at ${seconds} s`)
  for (const seconds of [-31, 60, 3600]) t.equal(await at(seconds), undefined, `at ${seconds} s`)
  for (const wrong of ['', '12345', '1234567', 'abcdef'])
    t.equal(await apps.findStep(wrong, sealed, { accountId, nowMs: START_MS }), undefined, wrong)
})

void t.test('computes the codes of RFC 6238, appendix B', async (t) => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' // 12345678901234567890
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    t.equal(codeAt(secret, seconds * SECOND_MS), code)
  }
})

void t.test('decrypts a secret only for its account, and only with its key', async (t) => {
  const { secret, sealed } = await created(totp([key(1)]))
  const code = codeAt(secret, START_MS)
  const find = (keys: Parameters<typeof totp>[0], id: number): Promise<number | undefined> =>
    totp(keys).findStep(code, sealed, { accountId: id, nowMs: START_MS })
  t.ok(await find([key(2), key(1)], accountId), 'an earlier key')
  await t.rejects(find([key(1)], 8), { code: 'factors_unavailable' }, 'another account')
  await t.rejects(find([key(2)], accountId), { code: 'factors_unavailable' }, 'another key')
  await t.rejects(find(undefined, accountId), { code: 'factors_unavailable' }, 'no key')
  t.equal(await totp(undefined).newSecret(accountId), undefined)
})

void t.test('encrypts a secret with the first key once', async (t) => {
  const { secret, sealed } = await created(totp([key(1)]))
  const reseal = resealTotp([key(2), key(1)])
  const resealed = reseal({ accountId, sealed })
  if (typeof resealed === 'string') throw new Error(resealed)
  t.equal(reseal({ accountId, sealed: resealed }), 'current')
  t.equal(resealTotp([key(3)])({ accountId, sealed }), 'unreadable')
  const code = codeAt(secret, START_MS)
  t.ok(await totp([key(2)]).findStep(code, resealed, { accountId, nowMs: START_MS }))
})
