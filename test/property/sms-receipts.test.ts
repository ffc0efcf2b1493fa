// The row of a message does not depend on the order in which the message and its receipts arrive, nor on repetitions.
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { mergeReceipts, type FinalState, type Receipt } from '../../src/domain/phones/sms.ts'
import { sharedService } from '../support/service/world.ts'

const states = fc.constantFrom<FinalState>('failed', 'delivered')
const receipts = fc.array(fc.record<Receipt>({ key: fc.constantFrom('a', 'b', 'c'), state: states }), { maxLength: 12 })

void t.test('merging receipts depends on neither their order nor their number', (t) => {
  fc.assert(
    fc.property(receipts, fc.func(fc.integer()), (given, orderOf) => {
      const shuffled = [...given, ...given].sort((one, other) => orderOf(one) - orderOf(other))
      t.same(mergeReceipts(shuffled), mergeReceipts(given))
      t.same(mergeReceipts(mergeReceipts(given)), mergeReceipts(given))
      const keys = mergeReceipts(given).map(({ key }) => key)
      t.same(
        keys,
        [...new Set(given.map(({ key }) => key))].sort(),
        'in the order of the keys, so that rows lock in it',
      )
    }),
  )
  t.end()
})

void t.test('a delivered message stays delivered, and a failed one can still be delivered', (t) => {
  fc.assert(
    fc.property(receipts, (given) => {
      for (const { key, state } of mergeReceipts(given)) {
        const isDelivered = given.some((each) => each.key === key && each.state === 'delivered')
        t.equal(state, isDelivered ? 'delivered' : 'failed')
      }
    }),
  )
  t.end()
})

void t.test('stored rows depend on neither the order of messages and receipts nor on repetitions', async (t) => {
  const { app, database, clock } = await sharedService()
  const { smsMessages } = app.context.store
  const row = async (messageKey: string): Promise<object> => {
    const {
      id: _,
      messageKey: _key,
      stateAt,
      createdAt: _created,
      sentAt,
      ...rest
    } = await database.prisma.smsMessage.findFirstOrThrow({ where: { messageKey } })
    return { ...rest, hasTime: stateAt !== null, wasSent: sentAt !== null }
  }
  const message = { provider: 'twilio', channel: 'sms', callingCode: '966', purpose: 'reset', network: 'n' } as const
  const windowId = randomUUID()
  const step = fc.constantFrom('message', 'failed', 'delivered')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const rows: object[] = []
      for (const order of [steps, steps.toReversed(), [...steps, ...steps]]) {
        const key = randomUUID()
        for (const each of order) {
          if (each === 'message') await smsMessages.record([{ ...message, key, windowId, sentAtMs: clock.nowMs() }])
          else await smsMessages.receive('twilio', [{ key, state: each }])
        }
        rows.push(await row(key))
      }
      t.same(rows[1], rows[0], 'in reverse')
      t.same(rows[2], rows[0], 'repeated')
    }),
    { numRuns: 40 },
  )
})
