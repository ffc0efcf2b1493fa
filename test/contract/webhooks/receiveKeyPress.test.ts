import { commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import type { Received } from '../../support/service/responses.ts'
import type { Sent } from '../../support/service/sender.ts'
import type { World } from '../../support/service/world.ts'
import { signTwilio } from '../../../src/adapters/sms/providers/twilio.ts'
import type { SmsMessage } from '../../../src/adapters/sms/index.ts'
import { RECEIPT_SETTINGS, receiptsConfig } from '../../support/sms/receipts.ts'

const MINUTE_MS = 60_000
const path = { provider: 'twilio' }
const form = { CallSid: `CA${'a'.repeat(32)}`, Digits: '1' }
const type = 'application/x-www-form-urlencoded'
const raw = new URLSearchParams(form).toString()
const unsigned = { path, query: { call: 'x' }, raw, type }
const common = commonCases('receiveKeyPress', () => unsigned, 'smsReceipts')

const CALL: SmsMessage = {
  to: '+966512345678',
  ...{ text: 'Code 1, 2 <3>', prompt: 'Press {key}', reference: 'r', purpose: 'verification', language: 'en' },
  channel: 'voice',
}

/** Returns the parameter of a call, and the key that it asks for. */
function callOf({ service }: World): { call: string; key: string } {
  const twiml = service.app.context.keyPresses.ask(CALL, 'https://api.example.sa/keys')
  return { call: /call=([\w-]+)/.exec(twiml)?.[1] ?? '', key: /Press (\d)/.exec(twiml)?.[1] ?? '' }
}

/** Returns a request that Twilio has signed. */
function pressed(call: string, fields: Record<string, string>): Sent {
  const url = `${RECEIPT_SETTINGS.publicUrl}/api/v1/webhooks/voice/twilio?call=${call}`
  const headers = { 'x-twilio-signature': signTwilio(url, fields, RECEIPT_SETTINGS.authToken) }
  return { path, query: { call }, raw: new URLSearchParams(fields).toString(), type, headers }
}

const textOf = ({ body }: Received): string => Buffer.from(body as never).toString()
const HANG_UP = '<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>'

contract(
  'receiveKeyPress',
  {
    200: {
      'returns the code after the key of the call': async (send, world, t) => {
        const { call, key } = callOf(world)
        const received = await send(pressed(call, { ...form, Digits: key }))
        t.match(received.headers['content-type'], /^application\/xml/)
        t.equal(
          textOf(received),
          '<?xml version="1.0" encoding="UTF-8"?><Response><Say language="en-US" voice="Polly.Joanna">Code 1, 2 &lt;3&gt;</Say></Response>',
        )
        return received
      },
      'ends the call after another key, and without one': async (send, world, t) => {
        const { call, key } = callOf(world)
        const other = String((Number(key) + 1) % 10)
        for (const Digits of [other, `${key}${key}`, '', '#'])
          t.equal(textOf(await send(pressed(call, { ...form, Digits }))), HANG_UP, Digits)
        const received = await send(pressed(call, { CallSid: form.CallSid }))
        t.equal(textOf(received), HANG_UP)
        return received
      },
      'ends a call whose code has expired, and one of another key of the service': async (send, world, t) => {
        const { call, key } = callOf(world)
        world.wait(5 * MINUTE_MS)
        t.equal(textOf(await send(pressed(call, { ...form, Digits: key }))), HANG_UP)
        const received = await send(pressed(Buffer.alloc(80, 'x').toString('base64url'), { ...form, Digits: key }))
        t.equal(textOf(received), HANG_UP)
        return received
      },
    },
    400: common[400],
    403: {
      'rejects a request without a signature': (send) => send(unsigned),
      'rejects another key than the signed one': async (send, world) => {
        const { call, key } = callOf(world)
        const sent = pressed(call, { ...form, Digits: String((Number(key) + 1) % 10) })
        return send({ ...sent, raw: new URLSearchParams({ ...form, Digits: key }).toString() })
      },
      'rejects another call than the signed one': async (send, world) => {
        const [one, other] = [callOf(world), callOf(world)]
        return send({ ...pressed(one.call, { ...form, Digits: other.key }), query: { call: other.call } })
      },
    },
    404: {
      'rejects a service without Twilio': async (send, world, t) => {
        const { context } = world.service.app
        const { smsReceipts } = context
        context.smsReceipts = new Map()
        const received = await send(unsigned)
        context.smsReceipts = smsReceipts
        t.equal(received.headers['error-code'], 'sms_provider_unknown')
        return received
      },
    },
    413: {
      'rejects a body over the size limit': (send) => send({ ...unsigned, raw: `Digits=${'1'.repeat(70_000)}` }),
    },
    415: {
      'rejects JSON': (send) => send({ path, query: { call: 'x' }, json: form }),
      'rejects a request without a body': (send) => send({ path, query: { call: 'x' } }),
    },
    422: {
      'rejects another provider': (send) => send({ ...unsigned, path: { provider: 'webhook' } }),
      'rejects a request without the call, or with an invalid one': async (send, _world, t) => {
        t.same((await send({ path, raw, type })).body.data.codes, { call: ['required'] })
        const received = await send({ ...unsigned, query: { call: '<' } })
        t.same(received.body.data.codes, { call: ['wrong_format'] })
        return received
      },
    },
    429: {
      'limits requests with a wrong signature': async (send) => {
        for (let requests = 0; requests < 60; requests++) await send(unsigned)
        return send(unsigned)
      },
    },
    500: common[500],
    503: common[503],
  },
  {},
  receiptsConfig(),
)
