// Signatures of receipts, with the examples that the providers publish, and the order of paused providers.
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { providerPauses } from '../../src/adapters/sms/pauses.ts'
import { signTwilio, twilioReceipts } from '../../src/adapters/sms/providers/twilio.ts'
import { webhookReceipts } from '../../src/adapters/sms/providers/webhook.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import type { ConversionState } from '../../src/domain/phones/conversion.ts'

/** https://www.twilio.com/docs/usage/security#validating-requests and the tests of Twilio's libraries */
const EXAMPLE = {
  token: '12345',
  url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
  fields: {
    Digits: '1234',
    To: '+18005551212',
    From: '+14158675309',
    Caller: '+14158675309',
    CallSid: 'CA1234567890ABCDE',
  },
}

void t.test('signs as the example of Twilio', (t) => {
  const { url, fields, token } = EXAMPLE
  t.equal(signTwilio(url, fields, token), 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')
  const repeated = { Sid: 'CA123', SidAccount: 'AC123', Digits: ['5678', '1234', '1234'] }
  t.equal(signTwilio(url, repeated, token), 'IK+Dwps556ElfBT0I3Rgjkr1wJU=')
  t.end()
})

const twilio = twilioReceipts({ authToken: '12345', url: 'https://mycompany.com' })

void t.test('accepts the example of Twilio, and nothing else', (t) => {
  const request = (signature: string | undefined, url = '/myapp.php?foo=1&bar=2'): boolean =>
    twilio.isGenuine({ bytes: Buffer.alloc(0), url, header: () => signature, fields: EXAMPLE.fields })
  t.equal(request('RSOYDt4T1cUTdK1PDd93/VVr8B8='), true)
  t.equal(request('RSOYDt4T1cUTdK1PDd93/VVr8B9='), false)
  t.equal(request(''), false)
  t.equal(request(undefined), false)
  t.equal(request('RSOYDt4T1cUTdK1PDd93/VVr8B8=', '/myapp.php'), false)
  t.end()
})

void t.test('reads states of messages and calls', (t) => {
  const read = (fields: Record<string, string>): unknown => twilio.read({ fields })
  t.same(read({ MessageSid: 'SM1', MessageStatus: 'read' }), [{ key: 'SM1', state: 'delivered' }])
  t.same(read({ CallSid: 'CA1', CallStatus: 'completed' }), [{ key: 'CA1', state: 'delivered' }])
  t.same(read({ CallSid: 'CA1', CallStatus: 'no-answer' }), [])
  t.same(read({ MessageSid: 'SM1', MessageStatus: 'constructor' }), [])
  t.end()
})

type Pauses = ReturnType<typeof providerPauses>

const route = { channel: 'sms', callingCode: '966' } as const
/** Attempts at providers by SMS, or by a channel after a colon */
const attempts = (...names: string[]): { provider: { name: string }; channel: string }[] =>
  names.map((each) => {
    const [name = '', channel = 'sms'] = each.split(':')
    return { provider: { name }, channel }
  })
const update = (pauses: Pauses, states: Record<string, ConversionState>): void =>
  pauses.beginUpdate()(Object.entries(states).map(([provider, state]) => ({ provider, ...route, state, waiting: [] })))
/** Returns the order of attempts in the country 966. */
const orderOf = (pauses: Pauses, ...names: string[]): string =>
  pauses
    .order(attempts(...names), '966')
    .map(({ provider, channel }) => (channel === 'sms' ? provider.name : `${provider.name}:${channel}`))
    .join(' ')
const sendBy = (
  pauses: Pauses,
  provider: string,
  count: number,
  given: { channel?: string; network?: string } = {},
): void => {
  for (let at = 0; at < count; at++) {
    const message = { provider, ...route, purpose: 'verification', network: `network ${at}`, ...given }
    pauses.sent(message as Parameters<Pauses['sent']>[0])
  }
}

void t.test('tries paused providers last', (t) => {
  const pauses = providerPauses(systemClock)
  const order = (): string => orderOf(pauses, 'a', 'b', 'c')
  t.equal(order(), 'a b c')
  update(pauses, { a: 'open' })
  t.equal(order(), 'b c a')
  t.equal(pauses.order(attempts('a', 'b'), '20')[0]?.provider.name, 'a', 'the pause does not apply to other countries')
  t.equal(orderOf(pauses, 'a:voice', 'b:voice'), 'a:voice b:voice', 'nor to other channels')
  update(pauses, { a: 'open', b: 'open', c: 'open' })
  t.equal(order(), 'a b c', 'a pause of all never prevents a message')
  update(pauses, { a: 'open', c: 'closed', b: 'open' })
  t.equal(order(), 'c a b')
  t.equal(orderOf(pauses, 'a', 'a:whatsapp'), 'a:whatsapp a', 'a pause of a channel leads to another one')
  t.end()
})

void t.test(
  'tries providers with 30 messages that may not arrive after the others, and alternates between them',
  (t) => {
    const pauses = providerPauses(systemClock)
    sendBy(pauses, 'a', 29)
    t.equal(orderOf(pauses, 'a', 'b'), 'a b')
    sendBy(pauses, 'a', 1, { network: 'another' })
    t.equal(orderOf(pauses, 'a', 'b'), 'b a')
    t.equal(orderOf(pauses, 'a', 'a:whatsapp'), 'a:whatsapp a', 'so that another channel is tried too')
    sendBy(pauses, 'b', 30)
    t.equal(orderOf(pauses, 'a', 'b'), 'a b')
    sendBy(pauses, 'a', 1)
    t.equal(orderOf(pauses, 'a', 'b'), 'b a')
    sendBy(pauses, 'b', 1)
    t.equal(orderOf(pauses, 'a', 'b'), 'a b')
    t.end()
  },
)

void t.test('counts messages without a sign of arrival until the circuits that were read include them', (t) => {
  const pauses = providerPauses(systemClock)
  sendBy(pauses, 'a', 20)
  const finish = pauses.beginUpdate()
  sendBy(pauses, 'a', 5, { network: 'another' })
  const waiting = Array.from({ length: 24 }, (_, at) => `stored ${at}`)
  const circuit = { provider: 'a', ...route, state: 'closed' } as const
  finish([{ ...circuit, waiting }])
  t.equal(orderOf(pauses, 'a', 'b'), 'a b', '29 messages')
  sendBy(pauses, 'a', 1)
  t.equal(orderOf(pauses, 'a', 'b'), 'b a')
  pauses.beginUpdate()([{ ...circuit, waiting: [] }])
  t.equal(orderOf(pauses, 'a', 'b'), 'a b', 'a message has arrived')
  t.end()
})

void t.test('accepts the timestamp of a webhook that is up to 300 seconds away', (t) => {
  const secret = `whsec_${Buffer.alloc(32, 'receipt').toString('base64')}`
  const signedSeconds = 1_800_000_000
  const signature = new Webhook(secret).sign('id', new Date(signedSeconds * 1000), '{}')
  const headers = new Map([
    ['webhook-id', 'id'],
    ['webhook-timestamp', String(signedSeconds)],
    ['webhook-signature', signature],
  ])
  const isGenuineAt = (nowMs: number): boolean =>
    webhookReceipts({ secrets: [secret] }, { nowMs: () => nowMs, shiftMs: () => 0 }).isGenuine({
      bytes: Buffer.from('{}'),
      url: '/',
      header: (name) => headers.get(name),
      fields: {},
    })
  const signedMs = signedSeconds * 1000
  t.same(
    [-300_001, -300_000, 0, 300_000, 300_001].map((ms) => isGenuineAt(signedMs + ms)),
    [false, true, true, true, false],
  )
  t.end()
})

void t.test('does not count notices, or more than ten messages of a network, as waiting', (t) => {
  const pauses = providerPauses(systemClock)
  for (let at = 0; at < 40; at++) pauses.sent({ provider: 'a', ...route, purpose: 'notice', network: `network ${at}` })
  sendBy(pauses, 'a', 100, { network: 'one' })
  sendBy(pauses, 'a', 19)
  t.equal(orderOf(pauses, 'a', 'b'), 'a b')
  sendBy(pauses, 'a', 1, { network: 'another' })
  t.equal(orderOf(pauses, 'a', 'b'), 'b a')
  t.end()
})

void t.test('tests a provider with five messages per minute after its pause', (t) => {
  let nowMs = 0
  const pauses = providerPauses({ nowMs: () => nowMs })
  update(pauses, { a: 'half_open', b: 'half_open' })
  const first = (): string | undefined => pauses.order(attempts('a', 'b', 'c'), '966')[0]?.provider.name
  t.same(Array.from({ length: 6 }, first), ['a', 'a', 'a', 'a', 'a', 'b'])
  nowMs = 60_000
  t.equal(first(), 'a')
  t.end()
})
