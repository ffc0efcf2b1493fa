// The budget of unconfirmed messages, whatever the order of messages and confirmations. With u for the unconfirmed messages that
// are counted, s for the start budget and k for the credit of a confirmed code:
//
// 1. Without confirmations, at most s messages are sent.
// 2. At most s + k * confirmed messages are sent.
// 3. At most as many messages are sent as the daily budget of the country allows.
// 4. A country in which every message is confirmed is never limited by its unconfirmed messages.
import fc from 'fast-check'
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { farNumbers, openGuarded } from '../support/service/sms-fraud.ts'

const CREDIT = LIMITS.sms.confirmed_credit
const CEILING = 40
const numberAt = farNumbers('20')

/** A message to a number, or a confirmation of its code, by one of few networks */
const step = fc.record({ isConfirmation: fc.boolean(), number: fc.nat(60), network: fc.nat(4) })
const plan = fc.record({ start: fc.integer({ min: 5, max: 20 }), steps: fc.array(step, { maxLength: 120 }) })

type Plan = { start: number; steps: { isConfirmation: boolean; number: number; network: number }[] }

/** Runs a plan at once or in order. Returns how many messages were sent, and how many numbers were confirmed. */
async function run({ start, steps }: Plan, isParallel: boolean): Promise<{ sent: number; confirmed: number }> {
  const options = { unconfirmed: { perOtherCountry: start }, budgets: { perCountryPerDay: CEILING } }
  const guarded = await openGuarded({ redisUrl: process.env['REDIS_URL'], ...options })
  let sent = 0
  const runStep = async ({ isConfirmation, number, network }: Plan['steps'][number]): Promise<void> => {
    const by = { network: `network ${network}` }
    if (isConfirmation) await guarded.confirm({ phone: numberAt(number), ...by })
    else if (await guarded.send(numberAt(number), by)) sent++
  }
  if (isParallel) await Promise.all(steps.map(runStep))
  else for (const each of steps) await runStep(each)
  guarded.close()
  const numbers = steps.filter(({ isConfirmation }) => isConfirmation).map(({ number }) => number)
  return { sent, confirmed: new Set(numbers).size }
}

const numRuns = process.env['REDIS_URL'] === undefined ? 60 : 8

for (const isParallel of [false, true]) {
  const how = isParallel ? 'at once' : 'in order'

  void t.test(`1. bounds a country without confirmations, ${how}`, async (t) => {
    const property = fc.asyncProperty(plan, async ({ start, steps }) => {
      const { sent } = await run({ start, steps: steps.filter((each) => !each.isConfirmation) }, isParallel)
      return sent <= start
    })
    await t.resolves(fc.assert(property, { numRuns }))
  })

  void t.test(`2. and 3. bounds a country by its confirmations and its daily budget, ${how}`, async (t) => {
    const property = fc.asyncProperty(plan, async (each) => {
      const { sent, confirmed } = await run(each, isParallel)
      return sent <= Math.min(CEILING, each.start + CREDIT * confirmed)
    })
    await t.resolves(fc.assert(property, { numRuns }))
  })
}

void t.test('4. does not limit a country in which every message is confirmed', async (t) => {
  const guarded = await openGuarded({ unconfirmed: { perOtherCountry: 1 } })
  for (let at = 0; at < 300; at++) {
    const network = `network ${at % 3}`
    t.ok(await guarded.send(numberAt(at), { network }))
    await guarded.confirm({ phone: numberAt(at), network })
  }
  guarded.close()
})
