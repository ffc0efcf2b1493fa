// Signatures of receipts, with the examples that the providers publish, and the order of paused providers.
import t from 'tap'
import { providerPauses } from '../../src/adapters/sms/pauses.ts'
import { receiptReaders } from '../../src/adapters/sms/receipts/index.ts'
import { signTwilio } from '../../src/adapters/sms/receipts/twilio.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { jsonLog } from '../../src/lib/log.ts'
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

const twilio = receiptReaders(
  new Map([['twilio', { kind: 'twilio', authToken: '12345', url: 'https://mycompany.com', variables: [] }]]),
  { clock: systemClock, log: jsonLog('silent') },
).find('twilio')

void t.test('accepts the example of Twilio, and nothing else', (t) => {
  const request = (signature: string | undefined, url = '/myapp.php?foo=1&bar=2'): boolean | undefined =>
    twilio?.isGenuine({ bytes: Buffer.alloc(0), url, header: () => signature, fields: EXAMPLE.fields })
  t.equal(request('RSOYDt4T1cUTdK1PDd93/VVr8B8='), true)
  t.equal(request('RSOYDt4T1cUTdK1PDd93/VVr8B9='), false)
  t.equal(request(''), false)
  t.equal(request(undefined), false)
  t.equal(request('RSOYDt4T1cUTdK1PDd93/VVr8B8=', '/myapp.php'), false)
  t.end()
})

void t.test('reads states of messages and calls', (t) => {
  const read = (fields: Record<string, string>): unknown => twilio?.read({ fields })
  t.same(read({ MessageSid: 'SM1', MessageStatus: 'read' }), [{ key: 'SM1', state: 'delivered' }])
  t.same(read({ CallSid: 'CA1', CallStatus: 'completed' }), [{ key: 'CA1', state: 'delivered' }])
  t.same(read({ CallSid: 'CA1', CallStatus: 'no-answer' }), [])
  t.same(read({ MessageSid: 'SM1', MessageStatus: 'constructor' }), [])
  t.end()
})

const route = { channel: 'sms', callingCode: '966' } as const
const providers = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
const circuits = (
  states: Record<string, ConversionState>,
): Parameters<ReturnType<typeof providerPauses>['update']>[0] =>
  Object.entries(states).map(([provider, state]) => ({ provider, ...route, state }))

void t.test('tries paused providers last', (t) => {
  const pauses = providerPauses(systemClock)
  const order = (): string =>
    pauses
      .order(providers, route)
      .map(({ name }) => name)
      .join('')
  t.equal(order(), 'abc')
  pauses.update(circuits({ a: 'open' }))
  t.equal(order(), 'bca')
  t.equal(
    pauses.order(providers, { ...route, callingCode: '20' })[0]?.name,
    'a',
    'the pause does not apply to other countries',
  )
  t.equal(pauses.order(providers, { ...route, channel: 'voice' })[0]?.name, 'a', 'nor to other channels')
  pauses.update(circuits({ a: 'open', b: 'open', c: 'open' }))
  t.equal(order(), 'abc', 'a pause of all never prevents a message')
  pauses.update(circuits({ a: 'open', c: 'closed', b: 'open' }))
  t.equal(order(), 'cab')
  t.end()
})

void t.test('tests a provider with five messages per minute after its pause', (t) => {
  let nowMs = 0
  const pauses = providerPauses({ nowMs: () => nowMs })
  pauses.update(circuits({ a: 'half_open', b: 'half_open' }))
  const first = (): string | undefined => pauses.order(providers, route)[0]?.name
  t.same(Array.from({ length: 6 }, first), ['a', 'a', 'a', 'a', 'a', 'b'])
  nowMs = 60_000
  t.equal(first(), 'a')
  t.end()
})
