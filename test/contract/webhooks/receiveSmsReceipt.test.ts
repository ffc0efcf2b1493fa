import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { formReceipt, RECEIPT_SETTINGS, receiptsConfig, signedReceipts } from '../../support/sms/receipts.ts'
import type { World } from '../../support/service/world.ts'
import { randomUUID } from 'node:crypto'

const MINUTE_MS = 60_000
const path = { provider: 'webhook' }
const json = { receipts: [] }
const common = commonCases('receiveSmsReceipt', () => ({ json, path }), 'smsReceipts')
const body = bodyCases(json)

/** Returns the stored state of a message; undefined if there is none. */
async function stateOf({ service }: World, provider: string, messageKey: string): Promise<string | undefined> {
  return (await service.database.prisma.smsMessage.findFirst({ where: { provider, messageKey } }))?.state
}

contract(
  'receiveSmsReceipt',
  {
    200: {
      'stores the states that an HTTP provider reports': async (send, world, t) => {
        const [delivered, failed, sent] = [randomUUID(), randomUUID(), randomUUID()]
        const received = await send(
          signedReceipts([
            { reference: delivered, state: 'delivered' },
            { reference: failed, state: 'failed' },
            { reference: sent, state: 'sent' },
          ]),
        )
        t.same(received.body, { status: true, code: 200, message: 'The delivery state was stored.', data: null })
        const states = await Promise.all([delivered, failed, sent].map((key) => stateOf(world, 'webhook', key)))
        t.same(states, ['delivered', 'failed', undefined])
        return received
      },
      'accepts a repeated receipt, which changes nothing': async (send, world, t) => {
        const reference = randomUUID()
        await send(signedReceipts([{ reference, state: 'delivered' }]))
        const { prisma } = world.service.database
        const before = await prisma.smsMessage.findMany({ where: { messageKey: reference } })
        world.wait(60_000)
        await send(signedReceipts([{ reference, state: 'delivered' }], { nowMs: Date.now() + 60_000 }))
        const received = await send(signedReceipts([{ reference, state: 'failed' }], { nowMs: Date.now() + 60_000 }))
        t.same(await prisma.smsMessage.findMany({ where: { messageKey: reference } }), before)
        return received
      },
      'accepts a signature with the old secret during a rotation': async (send) =>
        send(signedReceipts([], { secret: RECEIPT_SETTINGS.oldSecret })),
      'stores receipts of Twilio': async (send, world, t) => {
        const key = `SM${randomUUID().replaceAll('-', '')}`
        const received = await send(formReceipt('twilio', { MessageSid: key, MessageStatus: 'undelivered', To: '+1' }))
        t.equal(await stateOf(world, 'twilio', key), 'failed')
        return received
      },
      'ignores states that are not final': async (send, world, t) => {
        const received = await send(formReceipt('twilio', { MessageSid: 'SM1', MessageStatus: 'queued' }))
        t.equal(await stateOf(world, 'twilio', 'SM1'), undefined)
        return received
      },
      'stores receipts of Unifonic as a form': async (send, world, t) => {
        const key = randomUUID()
        const received = await send(formReceipt('unifonic', { MessageID: key, DLR: 'Undeliverable' }))
        t.equal(await stateOf(world, 'unifonic', key), 'failed')
        return received
      },
      'stores receipts of Taqnyat as JSON': async (send, world, t) => {
        const messageId = Math.floor(Math.random() * 1e12)
        const query = { token: RECEIPT_SETTINGS.token }
        const received = await send({
          path: { provider: 'taqnyat' },
          query,
          json: { messageId, status: 'Delivered', cost: null },
        })
        t.equal(await stateOf(world, 'taqnyat', String(messageId)), 'delivered')
        return received
      },
    },
    400: { ...common[400], ...body[400] },
    403: {
      'rejects a request without a signature': (send) => send({ json }),
      'names the variables to check in the log, once a minute for each provider': async (send, world, t) => {
        const lines = (): object[] =>
          world.service.log
            .filter((line) => line.includes('SMS receipts rejected'))
            .map((line) => JSON.parse(line) as object)
        world.wait(MINUTE_MS)
        const before = lines().length
        const token = formReceipt('taqnyat', { messageId: '1', status: 'delivered' })
        for (let count = 0; count < 3; count++) {
          await send({ json })
          await send({ ...formReceipt('twilio', { MessageSid: 'SM1' }), raw: 'MessageSid=SM2' })
          await send({ ...token, query: { token: 'x'.repeat(40) } })
        }
        t.match(lines().slice(before), [
          { provider: 'webhook', variables: ['SMS_WEBHOOK_RECEIPT_SECRETS'] },
          { provider: 'twilio', variables: ['TWILIO_AUTH_TOKEN', 'PUBLIC_URL'] },
          { provider: 'taqnyat', variables: ['TAQNYAT_RECEIPT_TOKENS'] },
        ])
        t.equal(lines().length, before + 3)
        world.wait(MINUTE_MS)
        const received = await send({ json })
        t.match(lines().slice(before + 3), [{ provider: 'webhook', rejected: 3 }])
        t.notMatch(JSON.stringify(received.body), 'SECRETS')
        return received
      },
      'rejects a signature with another secret': (send) =>
        send(signedReceipts([], { secret: `whsec_${Buffer.alloc(32, 'x').toString('base64')}` })),
      'rejects a body that was changed': (send) => send({ ...signedReceipts([]), raw: '{"receipts": []}' }),
      'rejects an old timestamp': (send) => send(signedReceipts([], { nowMs: Date.now() - 301_000 })),
      'rejects a timestamp in the future': (send) => send(signedReceipts([], { nowMs: Date.now() + 360_000 })),
      'rejects a timestamp that is no number': async (send) => {
        const sent = signedReceipts([])
        return send({ ...sent, headers: { ...sent.headers, 'webhook-timestamp': 'x' } })
      },
      'rejects a wrong signature of Twilio': (send) => {
        const sent = formReceipt('twilio', { MessageSid: 'SM1', MessageStatus: 'delivered' })
        return send({ ...sent, raw: 'MessageSid=SM1&MessageStatus=failed' })
      },
      'rejects a signature of Twilio for another URL': (send) =>
        send({ ...formReceipt('twilio', { MessageSid: 'SM1', MessageStatus: 'delivered' }), query: { a: 'b' } }),
      'rejects a wrong token': (send) =>
        send({ ...formReceipt('unifonic', { MessageID: '1', DLR: 'Delivered' }), query: { token: 'x'.repeat(40) } }),
      'rejects a missing token': async (send, _world, t) => {
        const { query: _, ...sent } = formReceipt('taqnyat', { messageId: '1', status: 'delivered' })
        const received = await send(sent)
        t.equal(received.headers['error-code'], 'signature_wrong')
        return received
      },
    },
    404: {
      'rejects an unknown provider': (send) => send({ path: { provider: 'other' }, json }),
      'rejects a provider without receipts': async (send, _world, t) => {
        const received = await send({ path: { provider: 'webhook2' }, json })
        t.equal(received.headers['error-code'], 'sms_provider_unknown')
        return received
      },
      'rejects the name of a built-in member': (send) => send({ path: { provider: 'constructor' }, json }),
    },
    413: body[413],
    415: {
      ...body[415],
      'rejects a multipart form': (send) => send({ form: { MessageSid: 'SM1' } }),
    },
    422: {
      'rejects a receipt of Twilio without its message': async (send, _world, t) => {
        const received = await send(formReceipt('twilio', { MessageStatus: 'delivered' }))
        t.same(received.body.data.codes, { MessageSid: ['required'] })
        return received
      },
      'names all invalid receipts': async (send, _world, t) => {
        const received = await send(signedReceipts([{ reference: 1, state: 'x' }, 5, { reference: 'r' }]))
        t.same(received.body.data.codes, {
          'receipts.0.reference': ['wrong_type'],
          'receipts.0.state': ['not_allowed'],
          'receipts.1': ['wrong_type'],
          'receipts.2.state': ['required'],
        })
        return received
      },
      'rejects more receipts than allowed': async (send, _world, t) => {
        const receipts = Array.from({ length: 501 }, (_, index) => ({ reference: `r-${index}`, state: 'sent' }))
        const received = await send(signedReceipts(receipts))
        t.same(received.body.data.codes, { receipts: ['too_many'] })
        return received
      },
      'rejects a body without receipts': async (send, _world, t) => {
        const received = await send(signedReceipts(undefined))
        t.same(received.body.data.codes, { receipts: ['required'] })
        return received
      },
      'rejects an identifier that is too long': (send) =>
        send(formReceipt('twilio', { MessageSid: 'x'.repeat(101), MessageStatus: 'delivered' })),
      'rejects a provider with an invalid name': (send) => send({ path: { provider: 'A-B' }, json }),
    },
    429: {
      'limits wrong signatures per network, but not valid ones': async (send, _world, t) => {
        for (let count = 0; count < 60; count++) t.equal((await send({ json })).status, 403)
        t.equal((await send(signedReceipts([]))).status, 200)
        return send({ json })
      },
    },
    500: common[500],
    503: common[503],
  },
  { path },
  receiptsConfig(),
)
