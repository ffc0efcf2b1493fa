// SMS through an HTTP provider, with every kind of fault.
import type { IncomingMessage, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { webhookProvider } from '../../../src/adapters/sms/providers/webhook.ts'
import { smsFailover } from '../../../src/adapters/sms/failover.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { localServer } from '../../support/servers/local-server.ts'

const log = jsonLog('silent')
/** Long enough for a provider on this machine, and short enough to wait for. */
const SHORT_MS = 1000
const MESSAGE = {
  to: '+966512345678',
  text: 'رمز 123456',
  reference: 'r-1',
  purpose: 'reset',
  language: 'ar',
  channel: 'sms',
} as const
const SENT = { ...MESSAGE, to: { e164: MESSAGE.to, callingCode: '966' }, network: '192.0.2.1' } as const

type ReceivedRequest = { headers: IncomingMessage['headers']; body: unknown }

async function provider(
  t: Test,
  respond: (response: ServerResponse) => void,
): Promise<{ url: string; taken: ReceivedRequest[] }> {
  const taken: ReceivedRequest[] = []
  const origin = await localServer(t, (request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      taken.push({ headers: request.headers, body: JSON.parse(text) })
      respond(response)
    })
  })
  return { url: `${origin}/sms`, taken }
}

const end =
  (status: number, headers = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end('{}')
  }
const never = (): void => undefined

void t.test('sends through a provider that accepts the message', async (t) => {
  const { url, taken } = await provider(t, end(202))
  const sms = smsFailover({ default: [webhookProvider(url, { token: 'secret' })] }, log)
  t.same(await sms.send(SENT), { outcome: 'taken', provider: 'webhook', providerId: undefined, channel: 'sms' })
  t.same(
    taken.map(({ body }) => body),
    [MESSAGE],
  )
  t.match(taken[0]?.headers, { 'content-type': 'application/json', authorization: 'Bearer secret' })
})

for (const [title, respond] of Object.entries({
  '400': end(400),
  '429': end(429),
  '503': end(503),
  'a redirect': end(302, { location: '/elsewhere' }),
})) {
  void t.test(`sends through the next provider after one that rejects with ${title}`, async (t) => {
    const first = await provider(t, respond)
    const second = await provider(t, end(200))
    const sms = smsFailover({ default: [webhookProvider(first.url), webhookProvider(second.url)] }, log)
    t.equal((await sms.send(SENT)).outcome, 'taken')
    t.equal(first.taken.length, 1, 'redirects are not followed')
    t.equal(second.taken.length, 1)
  })
}

for (const [title, respond] of Object.entries({
  'returns 500': end(500),
  'returns 502': end(502),
  'returns 504': end(504),
  'ends the connection': (response: ServerResponse): void => void response.destroy(),
  'does not respond': never,
})) {
  void t.test(`uses no other provider after one that ${title} and may have sent the message`, async (t) => {
    const first = await provider(t, respond)
    const second = await provider(t, end(200))
    const sms = smsFailover(
      { default: [webhookProvider(first.url, { timeoutMs: SHORT_MS }), webhookProvider(second.url)] },
      log,
    )
    t.equal((await sms.send(SENT)).outcome, 'unknown')
    t.equal(second.taken.length, 0)
  })
}

for (const [title, body] of Object.entries({ stalls: '{', 'is over the limit': 'x'.repeat(1024 * 1024) })) {
  void t.test(`treats a message as accepted when the rest of the response ${title}`, async (t) => {
    const { url, taken } = await provider(t, (response) => response.writeHead(200).write(body))
    const sms = smsFailover({ default: [webhookProvider(url, { timeoutMs: SHORT_MS })] }, log)
    t.equal((await sms.send(SENT)).outcome, 'taken')
    t.equal((await sms.send(SENT)).outcome, 'taken', 'the next message is accepted too')
    t.equal(taken.length, 2)
  })
}

void t.test('fails over if a provider is unreachable', async (t) => {
  const second = await provider(t, end(200))
  const sms = smsFailover({ default: [webhookProvider('http://127.0.0.1:1/'), webhookProvider(second.url)] }, log)
  t.equal((await sms.send(SENT)).outcome, 'taken')
  t.equal(second.taken.length, 1)
})

void t.test('reports that every provider rejected the message', async (t) => {
  const first = await provider(t, end(503))
  t.same(await smsFailover({ default: [webhookProvider(first.url)] }, log).send(SENT), { outcome: 'refused' })
})

for (const [status, outcome] of [
  [500, 'unknown'],
  [503, 'refused'],
  [401, 'refused'],
  [403, 'refused'],
] as const) {
  void t.test(`stops calling a provider for a while after it returns ${status} repeatedly`, async (t) => {
    const { url, taken } = await provider(t, end(status))
    const sms = smsFailover({ default: [webhookProvider(url)] }, log)
    for (let sends = 0; sends < 5; sends++) t.equal((await sms.send(SENT)).outcome, outcome)
    for (let sends = 0; sends < 3; sends++) t.equal((await sms.send(SENT)).outcome, 'refused')
    t.equal(taken.length, 5)
  })
}

void t.test('does not open the circuit for rejected numbers', async (t) => {
  const { url, taken } = await provider(t, end(400))
  const sms = smsFailover({ default: [webhookProvider(url)] }, log)
  for (let sends = 0; sends < 8; sends++) t.equal((await sms.send(SENT)).outcome, 'refused')
  t.equal(taken.length, 8)
})

void t.test('limits concurrent messages to a provider', async (t) => {
  const { url, taken } = await provider(t, never)
  const sms = smsFailover({ default: [webhookProvider(url, { timeoutMs: SHORT_MS })] }, log)
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => sms.send(SENT)))
  t.ok(outcomes.filter(({ outcome }) => outcome === 'refused').length >= 8)
  t.ok(taken.length <= 32, `${taken.length} were passed to it`)
})

void t.test('names the variable of a token that the provider rejects', async (t) => {
  const lines: string[] = []
  const logged = jsonLog('info', { write: (line) => lines.push(line) })
  for (const [status, name] of [
    [401, 'webhook'],
    [403, 'backup'],
  ] as const) {
    const { url } = await provider(t, end(status))
    await smsFailover({ default: [webhookProvider(url, { name, token: 'private-token' })] }, logged).send(SENT)
  }
  t.match(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      { outcome: 'refused', err: { message: 'The SMS provider returned 401. Check SMS_WEBHOOK_TOKEN.' } },
      {
        outcome: 'refused',
        err: { message: 'The SMS provider returned 403. Check the token of backup in SMS_WEBHOOKS.' },
      },
    ],
  )
  t.notMatch(lines.join(''), 'private-token')
})

void t.test('logs failures without text and number', async (t) => {
  const lines: string[] = []
  const logged = jsonLog('info', { write: (line) => lines.push(line) })
  const first = await provider(t, end(503))
  const second = await provider(t, end(500))
  await smsFailover({ default: [webhookProvider(first.url), webhookProvider(second.url)] }, logged).send(SENT)
  const [failover, failure] = lines.map((line) => JSON.parse(line) as unknown)
  t.match(failover, { provider: 'webhook', outcome: 'refused', next: 'webhook', reference: 'r-1' })
  t.match(failover, { err: { message: 'The SMS provider returned 503.' } })
  t.match(failure, { provider: 'webhook', outcome: 'unknown', err: { message: 'The SMS provider returned 500.' } })
  t.notMatch(lines.join(''), /123456|512345678/)
})
