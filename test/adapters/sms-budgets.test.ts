// Budgets that hold whoever asks, in this process and, with REDIS_URL, in Redis.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { rateLimits } from '../../src/adapters/limits.ts'
import { smsWithin, type SmsBudgets } from '../../src/adapters/sms-budgets.ts'
import type { SmsOutcome } from '../../src/domain/sms.ts'
import { jsonLog } from '../../src/log.ts'

type To = { callingCode: string; block?: number; network?: string; purpose?: 'verification' | 'reset' }
type Send = (to: To) => Promise<SmsOutcome>
type Setting = { send: Send; asked: () => number }

/** Every message goes to a block of numbers of its own and comes from a network of its own, unless the test says which. */
async function within(t: Test, budgets: Partial<SmsBudgets>, outcome: () => SmsOutcome): Promise<Setting> {
  const redisUrl = process.env['REDIS_URL']
  const limits = await rateLimits({ redisUrl, prefix: `test-${randomUUID()}`, log: jsonLog('silent') })
  t.teardown(() => limits.close())
  let asked = 0
  let blocks = 1000
  const sms = { send: async () => (asked++, outcome()) }
  const budgeted = smsWithin(
    { perDay: 100, perCountryPerDay: 100, networkPercent: 100, resetPercent: 0, ...budgets },
    sms,
    limits,
  )
  return {
    asked: () => asked,
    send: ({ callingCode, block = ++blocks, network = randomUUID(), purpose = 'verification' }) => {
      const to = { e164: `+${callingCode}5${block}${100 + asked}`, callingCode }
      return budgeted.send({ to, text: '', reference: '', network, purpose })
    },
  }
}

void t.test('a country that has used up its day', async (t) => {
  const { send, asked } = await within(t, { perCountryPerDay: 2 }, () => 'taken')
  await send({ callingCode: '966' })
  await send({ callingCode: '966' })
  await t.rejects(send({ callingCode: '966' }), { code: 'rate_limited', retryAfterSeconds: 24 * 60 * 60 })
  t.equal(await send({ callingCode: '20' }), 'taken', 'others go on')
  t.equal(asked(), 3)
})

void t.test('everybody has used up the day, each country alone has not', async (t) => {
  const { send, asked } = await within(t, { perDay: 2 }, () => 'unknown')
  t.equal(await send({ callingCode: '966' }), 'unknown')
  t.equal(await send({ callingCode: '20' }), 'unknown', 'what may have gone out counts')
  await t.rejects(send({ callingCode: '965' }), { code: 'rate_limited' })
  t.equal(asked(), 2)
})

void t.test('a run of neighbouring numbers', async (t) => {
  const { send, asked } = await within(t, {}, () => 'taken')
  for (let sends = 0; sends < 36; sends++) await send({ callingCode: '966', block: 7777 })
  await t.rejects(send({ callingCode: '966', block: 7777 }), { code: 'rate_limited' })
  t.equal(await send({ callingCode: '966', block: 7778 }), 'taken')
  t.equal(asked(), 37)
})

void t.test('a message that is refused costs nothing, of any budget', async (t) => {
  let outcome: SmsOutcome = 'refused'
  const { send } = await within(t, { perDay: 1, perCountryPerDay: 1 }, () => outcome)
  for (let sends = 0; sends < 40; sends++) t.equal(await send({ callingCode: '966', block: 7777 }), 'refused')
  outcome = 'taken'
  t.equal(await send({ callingCode: '966', block: 7777 }), 'taken')
})

void t.test('a crowd sends as much as there is, and no more', async (t) => {
  const { send, asked } = await within(t, { perDay: 10 }, () => 'taken')
  const sends = await Promise.allSettled(Array.from({ length: 50 }, () => send({ callingCode: '966' })))
  t.equal(sends.filter(({ status }) => status === 'fulfilled').length, 10)
  t.equal(asked(), 10)
})

void t.test('seven networks cannot use up the budget of a country, nor of a day', async (t) => {
  const { send, asked } = await within(t, { perCountryPerDay: 100, perDay: 200, networkPercent: 10 }, () => 'taken')
  const networks = Array.from({ length: 7 }, (_, at) => `network ${at}`)
  const sends = networks.flatMap((network) => Array.from({ length: 20 }, () => send({ callingCode: '966', network })))
  await Promise.allSettled(sends)
  t.equal(asked(), 70)
  t.equal(await send({ callingCode: '966' }), 'taken')
})

void t.test('a part of the budget is for resets only', async (t) => {
  const { send, asked } = await within(t, { perCountryPerDay: 10, resetPercent: 20 }, () => 'taken')
  await Promise.allSettled(Array.from({ length: 20 }, () => send({ callingCode: '966' })))
  t.equal(asked(), 8)
  t.equal(await send({ callingCode: '966', purpose: 'reset' }), 'taken')
  t.equal(await send({ callingCode: '966', purpose: 'reset' }), 'taken')
  await t.rejects(send({ callingCode: '966', purpose: 'reset' }), { code: 'rate_limited' })
  t.equal(asked(), 10)
})

void t.test('seven networks leave messages to a block of numbers', async (t) => {
  const { send, asked } = await within(t, {}, () => 'taken')
  const networks = Array.from({ length: 7 }, (_, at) => `network ${at}`)
  const sends = networks.flatMap((network) =>
    Array.from({ length: 9 }, () => send({ callingCode: '966', block: 7779, network })),
  )
  await Promise.allSettled(sends)
  t.equal(asked(), 35)
  t.equal(await send({ callingCode: '966', block: 7779 }), 'taken')
})
