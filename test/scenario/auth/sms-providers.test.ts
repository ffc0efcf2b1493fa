// The APIs of SMS providers: what their documented responses mean, and which provider comes next.
import t from 'tap'
import { ANSWERS, type Api, type Case } from '../../../scripts/sms-simulator/responses.ts'
import { smsFailover } from '../../../src/adapters/sms/failover.ts'
import { SmsRefused, type SmsProvider } from '../../../src/adapters/sms/index.ts'
import type { SmsOutcome } from '../../../src/domain/phones/sms.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { answering, CHANNEL_OF, PROVIDERS, SENT, smsServer, type Respond } from '../../support/servers/sms-servers.ts'

const log = jsonLog('silent')
const SHORT_MS = 1000

/** The outcome of each documented response, and whether the circuit opens after five of them */
const MEANINGS: Readonly<Record<Case, { outcome: SmsOutcome; opens: boolean }>> = {
  accepted: { outcome: 'taken', opens: false },
  rejected: { outcome: 'refused', opens: false },
  'wrong credentials': { outcome: 'refused', opens: true },
  'too many requests': { outcome: 'refused', opens: true },
  unavailable: { outcome: 'refused', opens: true },
  'server error': { outcome: 'unknown', opens: true },
}

for (const [name, answers] of Object.entries(ANSWERS)) {
  const api = name as Api // ANSWERS has exactly these keys
  for (const [title, { outcome, opens }] of Object.entries(MEANINGS)) {
    if (api === 'webhook' && opens && title !== 'unavailable' && title !== 'server error') continue // 4xx has one meaning
    void t.test(`${api}: ${title}`, async (t) => {
      const { origin, received } = await smsServer(t, answering(answers[title as Case]))
      const channel = CHANNEL_OF[api]
      const provider = { ...PROVIDERS[api](origin), channels: new Set([channel]) } // without the fallback to SMS
      const sms = smsFailover({ default: [provider] }, log)
      for (let sends = 0; sends < 5; sends++) t.equal((await sms.send({ ...SENT, channel })).outcome, outcome)
      t.equal((await sms.send({ ...SENT, channel })).outcome, opens ? 'refused' : outcome)
      t.equal(received.length, opens ? 5 : 6)
    })
  }
}

for (const api of ['unifonic', 'taqnyat'] as const) {
  void t.test(`${api}: uses the next provider after a rejection with a 2xx`, async (t) => {
    const first = await smsServer(t, answering(ANSWERS[api]['rejected with a 2xx'] ?? ANSWERS[api].rejected))
    const second = await smsServer(t, answering(ANSWERS.twilio.accepted))
    const providers = [PROVIDERS[api](first.origin), PROVIDERS.twilio(second.origin)]
    t.equal((await smsFailover({ default: providers }, log).send(SENT)).outcome, 'taken')
    t.equal(second.received.length, 1)
  })
}

const UNREADABLE: Readonly<Record<string, Respond>> = {
  'is no JSON': (response) => void response.writeHead(200).end('<html>'),
  'is an empty object': (response) => void response.writeHead(200).end('{}'),
  stalls: (response) => void response.writeHead(200).write('{'),
  'is cut off': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy())
  },
}

for (const api of ['twilio', 'unifonic', 'taqnyat'] as const) {
  for (const [title, respond] of Object.entries(UNREADABLE)) {
    void t.test(`${api}: uses no other provider if a response with a 2xx ${title}`, async (t) => {
      const { origin } = await smsServer(t, respond)
      const second = await smsServer(t, answering(ANSWERS.twilio.accepted))
      const slow = PROVIDERS[api](origin)
      const provider = { ...slow, send: (message: Parameters<SmsProvider['send']>[0]) => slow.send(message, SHORT_MS) }
      const sms = smsFailover({ default: [provider, PROVIDERS.twilio(second.origin)] }, log)
      t.equal((await sms.send(SENT)).outcome, 'unknown')
      t.equal(second.received.length, 0)
    })
  }
}

void t.test('uses the order of the country', async (t) => {
  const first = await smsServer(t, answering(ANSWERS.twilio.accepted))
  const second = await smsServer(t, answering(ANSWERS.unifonic.accepted))
  const byCountry = new Map([['966', [PROVIDERS.unifonic(second.origin)]]])
  const sms = smsFailover({ default: [PROVIDERS.twilio(first.origin)], byCountry }, log)
  t.equal((await sms.send(SENT)).outcome, 'taken')
  t.equal((await sms.send({ ...SENT, to: { e164: '+201001234567', callingCode: '20' } })).outcome, 'taken')
  t.equal(first.received.length, 1)
  t.equal(second.received.length, 1)
})

void t.test('tries no other provider when the time for the message is used up', async (t) => {
  let passedMs = 0
  const { now } = performance
  const startMs = performance.now()
  performance.now = () => startMs + passedMs // time that really passes would count
  t.teardown(() => (performance.now = now))
  const slow: SmsProvider = {
    name: 'slow',
    send: async (_message, timeoutMs) => {
      passedMs += timeoutMs
      throw new SmsRefused('Connection failed.')
    },
  }
  const second = await smsServer(t, answering(ANSWERS.twilio.accepted))
  t.equal((await smsFailover({ default: [slow, PROVIDERS.twilio(second.origin)] }, log).send(SENT)).outcome, 'refused')
  t.equal(second.received.length, 0)
  t.equal(Math.round(passedMs), 4000)
})
