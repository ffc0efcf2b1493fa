// SMS through a provider over HTTP, with everything that such a provider does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { webhookProvider } from '../../src/adapters/sms-webhook.ts'
import { smsBy } from '../../src/adapters/sms.ts'

const MESSAGE = { to: '+966512345678', text: 'رمز 123456', reference: 'r-1' }

type Taken = { headers: IncomingMessage['headers']; body: unknown }

async function provider(t: Test, answer: (response: ServerResponse) => void): Promise<{ url: string; taken: Taken[] }> {
  const taken: Taken[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      taken.push({ headers: request.headers, body: JSON.parse(text) })
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`, taken }
}

const end =
  (status: number, headers = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end('{}')
  }
const never = (): void => undefined

void t.test('a provider that takes the message', async (t) => {
  const { url, taken } = await provider(t, end(202))
  await smsBy([webhookProvider(url, { token: 'secret' })]).send(MESSAGE)
  t.same(
    taken.map(({ body }) => body),
    [MESSAGE],
  )
  t.match(taken[0]?.headers, { 'content-type': 'application/json', authorization: 'Bearer secret' })
})

for (const [title, answer] of Object.entries({
  '500': end(500),
  '400': end(400),
  'a redirect': end(302, { location: '/elsewhere' }),
})) {
  void t.test(`a provider that refuses with ${title}: the next one is asked`, async (t) => {
    const first = await provider(t, answer)
    const second = await provider(t, end(200))
    await smsBy([webhookProvider(first.url), webhookProvider(second.url)]).send(MESSAGE)
    t.equal(first.taken.length, 1, 'and a redirect is not followed')
    t.equal(second.taken.length, 1)
  })
}

void t.test('a provider that cannot be reached: the next one is asked', async (t) => {
  const second = await provider(t, end(200))
  await smsBy([webhookProvider('http://127.0.0.1:1/'), webhookProvider(second.url)]).send(MESSAGE)
  t.equal(second.taken.length, 1)
})

void t.test('a provider that does not answer may have sent: nobody else is asked', async (t) => {
  const first = await provider(t, never)
  const second = await provider(t, end(200))
  const sms = smsBy([webhookProvider(first.url, { timeoutMs: 100 }), webhookProvider(second.url)])
  await t.rejects(sms.send(MESSAGE), { code: 'sms_unavailable' })
  t.equal(second.taken.length, 0)
})

void t.test('nobody takes the message', async (t) => {
  const first = await provider(t, end(503))
  await t.rejects(smsBy([webhookProvider(first.url)]).send(MESSAGE), { code: 'sms_unavailable', retryAfterSeconds: 10 })
})

void t.test('a provider that fails again and again is left alone for a while', async (t) => {
  const { url, taken } = await provider(t, end(500))
  const sms = smsBy([webhookProvider(url)])
  for (let sends = 0; sends < 8; sends++) await t.rejects(sms.send(MESSAGE))
  t.equal(taken.length, 5)
})

void t.test('a number that a provider refuses does not make it a bad provider', async (t) => {
  const { url, taken } = await provider(t, end(400))
  const sms = smsBy([webhookProvider(url)])
  for (let sends = 0; sends < 8; sends++) await t.rejects(sms.send(MESSAGE))
  t.equal(taken.length, 8)
})
