// The APIs of SMS providers: what they receive, and what their documented responses mean.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { ANSWERS, type Answer, type Api, type Case } from '../../../scripts/sms-simulator/answers.ts'
import { smsFailover } from '../../../src/adapters/sms/failover.ts'
import type { SmsProvider } from '../../../src/adapters/sms/index.ts'
import { taqnyatProvider } from '../../../src/adapters/sms/providers/taqnyat.ts'
import { twilioProvider } from '../../../src/adapters/sms/providers/twilio.ts'
import { unifonicProvider } from '../../../src/adapters/sms/providers/unifonic.ts'
import { webhookProvider } from '../../../src/adapters/sms/providers/webhook.ts'
import type { SmsOutcome } from '../../../src/domain/phones/sms.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { localServer } from '../../support/servers/local-server.ts'

const log = jsonLog('silent')
const SHORT_MS = 1000
const ACCOUNT = `AC${'a'.repeat(32)}`
const SENT = {
  to: { e164: '+966512345678', callingCode: '966' },
  text: 'رمز 123456',
  reference: 'r-1',
  purpose: 'reset',
  language: 'ar',
  channel: 'sms',
  network: '192.0.2.1',
} as const

type Received = { path: string | undefined; headers: IncomingHttpHeaders; text: string }

async function respondingServer(
  t: Test,
  respond: (response: ServerResponse) => void,
): Promise<{ origin: string; received: Received[] }> {
  const received: Received[] = []
  const origin = await localServer(t, (request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      received.push({ path: request.url, headers: request.headers, text })
      respond(response)
    })
  })
  return { origin, received }
}

const answering =
  ({ status, body }: Answer) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const PROVIDERS: Readonly<Record<Api, (apiUrl: string) => SmsProvider>> = {
  twilio: (apiUrl) => twilioProvider({ apiUrl, accountSid: ACCOUNT, authToken: 'secret', from: 'Tawthiq' }),
  unifonic: (apiUrl) => unifonicProvider({ apiUrl, appSid: 'secret', senderId: 'Tawthiq' }),
  taqnyat: (apiUrl) => taqnyatProvider({ apiUrl, token: 'secret', sender: 'Tawthiq' }),
  webhook: (apiUrl) => webhookProvider(`${apiUrl}/webhook`, { token: 'secret' }),
}

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
      const { origin, received } = await respondingServer(t, answering(answers[title as Case]))
      const sms = smsFailover({ default: [PROVIDERS[api](origin)] }, log)
      for (let sends = 0; sends < 5; sends++) t.equal((await sms.send(SENT)).outcome, outcome)
      t.equal((await sms.send(SENT)).outcome, opens ? 'refused' : outcome)
      t.equal(received.length, opens ? 5 : 6)
    })
  }
}

for (const api of ['unifonic', 'taqnyat'] as const) {
  void t.test(`${api}: uses the next provider after a rejection with a 2xx`, async (t) => {
    const first = await respondingServer(t, answering(ANSWERS[api]['rejected with a 2xx'] ?? ANSWERS[api].rejected))
    const second = await respondingServer(t, answering(ANSWERS.twilio.accepted))
    const providers = [PROVIDERS[api](first.origin), PROVIDERS.twilio(second.origin)]
    t.equal((await smsFailover({ default: providers }, log).send(SENT)).outcome, 'taken')
    t.equal(second.received.length, 1)
  })
}

const UNREADABLE: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'is no JSON': (response) => void response.writeHead(200).end('<html>'),
  'is an empty object': (response) => void response.writeHead(200).end('{}'),
  'has 50 MB': (response) => {
    const part = Buffer.alloc(1024 * 1024, ' ')
    const write = (count: number): void => {
      if (count < 50 && !response.destroyed) response.write(part, () => write(count + 1))
    }
    response.writeHead(200)
    write(0)
  },
  stalls: (response) => void response.writeHead(200).write('{'),
  'is cut off': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy())
  },
}

for (const api of ['twilio', 'unifonic', 'taqnyat'] as const) {
  for (const [title, respond] of Object.entries(UNREADABLE)) {
    void t.test(`${api}: uses no other provider if a response with a 2xx ${title}`, async (t) => {
      const { origin } = await respondingServer(t, respond)
      const second = await respondingServer(t, answering(ANSWERS.twilio.accepted))
      const slow = PROVIDERS[api](origin)
      const provider = { ...slow, send: (message: Parameters<SmsProvider['send']>[0]) => slow.send(message, SHORT_MS) }
      const sms = smsFailover({ default: [provider, PROVIDERS.twilio(second.origin)] }, log)
      t.equal((await sms.send(SENT)).outcome, 'unknown')
      t.equal(second.received.length, 0)
    })
  }
}

void t.test('twilio receives a form with basic authentication', async (t) => {
  const { origin, received } = await respondingServer(t, answering(ANSWERS.twilio.accepted))
  t.equal(
    await PROVIDERS.twilio(origin).send({ ...SENT, to: SENT.to.e164 }, SHORT_MS),
    'SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  )
  const [request] = received
  t.equal(request?.path, `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`)
  t.equal(request?.headers.authorization, `Basic ${Buffer.from(`${ACCOUNT}:secret`).toString('base64')}`)
  t.same(Object.fromEntries(new URLSearchParams(request?.text)), {
    To: '+966512345678',
    From: 'Tawthiq',
    Body: SENT.text,
  })
})

void t.test('twilio sends through a messaging service', async (t) => {
  const { origin, received } = await respondingServer(t, answering(ANSWERS.twilio.accepted))
  const from = `MG${'b'.repeat(32)}`
  const provider = twilioProvider({ apiUrl: origin, accountSid: ACCOUNT, authToken: 'secret', from })
  await provider.send({ ...SENT, to: SENT.to.e164 }, SHORT_MS)
  t.match(Object.fromEntries(new URLSearchParams(received[0]?.text)), { MessagingServiceSid: from })
})

void t.test('unifonic receives a form with a number without +', async (t) => {
  const { origin, received } = await respondingServer(t, answering(ANSWERS.unifonic.accepted))
  t.equal(await PROVIDERS.unifonic(origin).send({ ...SENT, to: SENT.to.e164 }, SHORT_MS), '42000348806924')
  t.equal(received[0]?.path, '/rest/SMS/messages')
  t.same(Object.fromEntries(new URLSearchParams(received[0]?.text ?? '')), {
    AppSid: 'secret',
    SenderID: 'Tawthiq',
    responseType: 'JSON',
    Recipient: '966512345678',
    Body: SENT.text,
    CorrelationID: 'r-1',
  })
})

void t.test('taqnyat receives JSON with a bearer token', async (t) => {
  const { origin, received } = await respondingServer(t, answering(ANSWERS.taqnyat.accepted))
  t.equal(await PROVIDERS.taqnyat(origin).send({ ...SENT, to: SENT.to.e164 }, SHORT_MS), '5452899970')
  t.equal(received[0]?.path, '/v1/messages')
  t.equal(received[0]?.headers.authorization, 'Bearer secret')
  t.same(JSON.parse(received[0]?.text ?? ''), { recipients: ['966512345678'], body: SENT.text, sender: 'Tawthiq' })
})

void t.test('uses the order of the country', async (t) => {
  const first = await respondingServer(t, answering(ANSWERS.twilio.accepted))
  const second = await respondingServer(t, answering(ANSWERS.unifonic.accepted))
  const byCountry = new Map([['966', [PROVIDERS.unifonic(second.origin)]]])
  const sms = smsFailover({ default: [PROVIDERS.twilio(first.origin)], byCountry }, log)
  t.equal((await sms.send(SENT)).outcome, 'taken')
  t.equal((await sms.send({ ...SENT, to: { e164: '+201001234567', callingCode: '20' } })).outcome, 'taken')
  t.equal(first.received.length, 1)
  t.equal(second.received.length, 1)
})

void t.test('tries no other provider when the time for the message is used up', async (t) => {
  const slow: SmsProvider = {
    name: 'slow',
    send: async (_message, timeoutMs) => {
      await new Promise((resolve) => setTimeout(resolve, timeoutMs))
      throw new (await import('../../../src/adapters/sms/index.ts')).SmsRefused('Connection failed.')
    },
  }
  const second = await respondingServer(t, answering(ANSWERS.twilio.accepted))
  const startMs = performance.now()
  t.equal((await smsFailover({ default: [slow, PROVIDERS.twilio(second.origin)] }, log).send(SENT)).outcome, 'refused')
  t.equal(second.received.length, 0)
  t.ok(performance.now() - startMs < 5000)
})
