// SMS budgets over all clients, in this process and, with REDIS_URL, in Redis.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { openLimits } from '../../src/adapters/limits/index.ts'
import { withBudgets } from '../../src/adapters/sms/budgets.ts'
import type { Proof, SmsBudgets } from '../../src/domain/phones/sms.ts'
import { fraudRules } from '../../src/adapters/sms/fraud/rules.ts'
import type { SmsOutcome } from '../../src/domain/phones/sms.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { fixedProof } from '../support/service/sms-fraud.ts'

type To = {
  callingCode: string
  block?: number
  network?: string
  purpose?: 'verification' | 'reset'
  proof?: Proof
}
type Send = (to: To) => Promise<SmsOutcome>
type Setting = { send: Send; sentCount: () => number }

const UNLIMITED = { homeCountries: new Set<string>(), perHomeCountry: 1e9, perOtherCountry: 1e9, networkPercent: 100 }

/** By default, every message has its own block of numbers and its own network, and proof. */
async function within(t: Test, budgets: Partial<SmsBudgets>, outcome: () => SmsOutcome): Promise<Setting> {
  const redisUrl = process.env['REDIS_URL']
  const limits = await openLimits({ redisUrl, prefix: `test-${randomUUID()}`, log: jsonLog('silent') })
  t.teardown(() => limits.close())
  let sentCount = 0
  let blocks = 1000
  const sms = { send: async () => (sentCount++, { outcome: outcome() }) }
  const budgeted = withBudgets(
    { perDay: 100, perCountryPerDay: 100, networkPercent: 100, resetPercent: 0, ...budgets },
    sms,
    { limits, fraud: fraudRules({ mode: 'enforce', unconfirmed: UNLIMITED }, { record: () => undefined }) },
  )
  return {
    sentCount: () => sentCount,
    send: ({ callingCode, block = ++blocks, network = randomUUID(), ...given }) => {
      const { purpose = 'verification', proof = 'challenge' } = given
      const to = { e164: `+${callingCode}5${block}${100 + sentCount}`, callingCode }
      const content = { text: '', reference: '', language: 'en', channel: 'sms' } as const
      return budgeted
        .send({
          to,
          ...content,
          network,
          purpose,
          findProof: fixedProof(proof),
        })
        .then((result) => result.outcome)
    },
  }
}

void t.test('rejects messages beyond the daily budget of a country', async (t) => {
  const { send, sentCount } = await within(t, { perCountryPerDay: 2 }, () => 'taken')
  await send({ callingCode: '966' })
  await send({ callingCode: '966' })
  await t.rejects(send({ callingCode: '966' }), { code: 'rate_limited', retryAfterSeconds: 24 * 60 * 60 })
  t.equal(await send({ callingCode: '20' }), 'taken', 'other countries are not affected')
  t.equal(sentCount(), 3)
})

void t.test('rejects messages beyond the total daily budget', async (t) => {
  const { send, sentCount } = await within(t, { perDay: 2 }, () => 'unknown')
  t.equal(await send({ callingCode: '966' }), 'unknown')
  t.equal(await send({ callingCode: '20' }), 'unknown', 'a message with an unknown outcome counts')
  await t.rejects(send({ callingCode: '965' }), { code: 'rate_limited' })
  t.equal(sentCount(), 2)
})

void t.test('limits messages to neighbouring numbers', async (t) => {
  const { send, sentCount } = await within(t, {}, () => 'taken')
  for (let sends = 0; sends < 72; sends++) await send({ callingCode: '966', block: 7777 })
  await t.rejects(send({ callingCode: '966', block: 7777 }), { code: 'rate_limited' })
  t.equal(await send({ callingCode: '966', block: 7778 }), 'taken')
  t.equal(sentCount(), 73)
})

void t.test('does not charge rejected messages', async (t) => {
  let outcome: SmsOutcome = 'refused'
  const { send } = await within(t, { perDay: 1, perCountryPerDay: 1 }, () => outcome)
  for (let sends = 0; sends < 40; sends++) t.equal(await send({ callingCode: '966', block: 7777 }), 'refused')
  outcome = 'taken'
  t.equal(await send({ callingCode: '966', block: 7777 }), 'taken')
})

void t.test('never exceeds the budget under concurrency', async (t) => {
  const { send, sentCount } = await within(t, { perDay: 10 }, () => 'taken')
  const sends = await Promise.allSettled(Array.from({ length: 50 }, () => send({ callingCode: '966' })))
  t.equal(sends.filter(({ status }) => status === 'fulfilled').length, 10)
  t.equal(sentCount(), 10)
})

void t.test('keeps seven networks from exhausting the budgets', async (t) => {
  const { send, sentCount } = await within(t, { perCountryPerDay: 100, perDay: 200, networkPercent: 10 }, () => 'taken')
  const networks = Array.from({ length: 7 }, (_, at) => `network ${at}`)
  const sends = networks.flatMap((network) => Array.from({ length: 20 }, () => send({ callingCode: '966', network })))
  await Promise.allSettled(sends)
  t.equal(sentCount(), 70)
  t.equal(await send({ callingCode: '966' }), 'taken')
})

void t.test('reserves part of the budget for resets', async (t) => {
  const { send, sentCount } = await within(t, { perCountryPerDay: 10, resetPercent: 20 }, () => 'taken')
  await Promise.allSettled(Array.from({ length: 20 }, () => send({ callingCode: '966' })))
  t.equal(sentCount(), 8)
  t.equal(await send({ callingCode: '966', purpose: 'reset' }), 'taken')
  t.equal(await send({ callingCode: '966', purpose: 'reset' }), 'taken')
  await t.rejects(send({ callingCode: '966', purpose: 'reset' }), { code: 'rate_limited' })
  t.equal(sentCount(), 10)
})

void t.test('reserves a share for solved challenges, which known networks and resets cannot use up', async (t) => {
  for (const budgets of [{ perCountryPerDay: 100 }, { perDay: 100 }]) {
    const { send, sentCount } = await within(t, { ...budgets, perCountryPerDay: 100, resetPercent: 20 }, () => 'taken')
    const known = { callingCode: '966', proof: 'known_network' } as const
    for (let sends = 0; sends < 72; sends++) await send(known)
    await t.rejects(send(known), { code: 'rate_limited' })
    const reset = { ...known, purpose: 'reset' } as const
    for (let sends = 0; sends < 18; sends++) await send(reset)
    await t.rejects(send(reset), { code: 'rate_limited' })
    for (let sends = 0; sends < 8; sends++) await send({ callingCode: '966' })
    await t.rejects(send({ callingCode: '966' }), { code: 'rate_limited' }, 'the rest is for resets')
    t.equal(sentCount(), 98)
  }
})

void t.test('reserves part of the budgets for messages with proof', async (t) => {
  for (const budgets of [{ perCountryPerDay: 10 }, { perDay: 10 }]) {
    const { send, sentCount } = await within(t, budgets, () => 'taken')
    for (let sends = 0; sends < 8; sends++) await send({ callingCode: '966', proof: 'none' })
    await t.rejects(send({ callingCode: '966', proof: 'none' }), { code: 'rate_limited' })
    await send({ callingCode: '966' })
    await send({ callingCode: '966' })
    await t.rejects(send({ callingCode: '966' }), { code: 'rate_limited' })
    t.equal(sentCount(), 10)
  }
})

void t.test('keeps seven networks from exhausting a block of numbers', async (t) => {
  const { send, sentCount } = await within(t, {}, () => 'taken')
  const networks = Array.from({ length: 7 }, (_, at) => `network ${at}`)
  const sends = networks.flatMap((network) =>
    Array.from({ length: 9 }, () => send({ callingCode: '966', block: 7779, network, proof: 'none' })),
  )
  await Promise.allSettled(sends)
  t.equal(sentCount(), 35)
  t.equal(await send({ callingCode: '966', block: 7779, proof: 'none' }), 'taken')
})
