// Verification of challenges by the siteverify protocol, against a verifier with every kind of fault.
import type { IncomingMessage, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { freeRequestsPerDay, type Captcha } from '../../src/adapters/captcha/index.ts'
import { acceptsInvalidSolution, siteverifyCaptcha } from '../../src/adapters/captcha/siteverify.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { NO_METRICS } from '../../src/lib/metrics.ts'
import { localServer } from '../support/servers/local-server.ts'

type Opened = {
  captcha: Captcha
  url: string
  requests: { url: string | undefined; method: string | undefined; type: string | undefined; form: object }[]
  lines: string[]
  outcomes: string[]
  wait(ms: number): void
}

const PAUSE_MS = 10_000

async function open(t: Test, respond: (response: ServerResponse) => void, timeoutMs = 10_000): Promise<Opened> {
  const requests: Opened['requests'] = []
  const [lines, outcomes] = [[] as string[], [] as string[]]
  const origin = await localServer(t, (request: IncomingMessage, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text))
      requests.push({ url: request.url, method: request.method, type: request.headers['content-type'], form })
      respond(response)
    })
  })
  const url = `${origin}/siteverify`
  let nowMs = 0
  const captcha = siteverifyCaptcha(
    { url, secret: 'the secret' },
    {
      log: jsonLog('info', { write: (line) => lines.push(line) }),
      clock: { nowMs: () => nowMs, shiftMs: () => 0 },
      metrics: { ...NO_METRICS, count: (_name, labels) => outcomes.push(Object.values(labels).join()) },
      timeoutMs,
    },
  )
  return { captcha, url, requests, lines, outcomes, wait: (ms) => (nowMs += ms) }
}

const json =
  (status: number, body: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

void t.test('sends the secret, the solution and the address as a form', async (t) => {
  const { captcha, requests, outcomes } = await open(t, json(200, { success: true }))
  t.equal(await captcha.verify('a&b=ج', '2001:db8::1'), true)
  t.same(requests, [
    {
      url: '/siteverify',
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
      form: { secret: 'the secret', response: 'a&b=ج', remoteip: '2001:db8::1' },
    },
  ])
  t.same(outcomes, ['valid'])
})

/** Responses that are about the solution. A client can cause them, so they must not look like a fault of the verifier. */
const INVALID = {
  'an invalid solution': json(200, { success: false, 'error-codes': ['invalid-input-response'] }),
  'a used solution': json(200, { success: false, 'error-codes': ['timeout-or-duplicate'] }),
  'a solution of another site': json(200, { success: false, 'error-codes': ['sitekey-secret-mismatch'] }),
  'no reason': json(200, { success: false }),
  'a malformed request': json(400, { success: false, 'error-codes': ['bad-request'] }),
  'a success with an error status': json(400, { success: true }),
  'a solution that is too large': (response: ServerResponse) => response.writeHead(413).end('<html>'),
}

for (const [title, respond] of Object.entries(INVALID)) {
  void t.test(`rejects ${title}`, async (t) => {
    const { captcha, outcomes, lines } = await open(t, respond)
    t.equal(await captcha.verify('x', '192.0.2.1'), false)
    t.ok(captcha.isAvailable())
    t.same({ outcomes, lines }, { outcomes: ['invalid'], lines: [] })
  })
}

/** Responses that say nothing about the solution */
const UNAVAILABLE = {
  'a wrong secret': json(200, { success: false, 'error-codes': ['invalid-input-secret'] }),
  'an error status': json(500, { success: true }),
  'a rate limit of the verifier': (response: ServerResponse) => response.writeHead(429).end(),
  'a redirect': (response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'a body that is no JSON': (response: ServerResponse) => response.end('yes'),
  'JSON that is no object': json(200, null),
  'a result of the wrong type': json(200, { success: 'true' }),
  'a body over 64 KB': json(200, { success: true, more: 'x'.repeat(70_000) }),
  'a closed connection': (response: ServerResponse) => response.destroy(),
}

for (const [title, respond] of Object.entries(UNAVAILABLE)) {
  void t.test(`treats the verifier as unavailable after ${title}`, async (t) => {
    const { captcha, outcomes, lines, requests, wait } = await open(t, respond)
    t.equal(await captcha.verify('x', '192.0.2.1'), undefined)
    t.notOk(captcha.isAvailable())
    t.same(outcomes, ['unavailable'])
    t.equal(lines.length, 1)
    t.notMatch(lines.join(), /the secret/)
    t.equal(requests.length, 1)
    wait(PAUSE_MS)
    t.ok(captcha.isAvailable())
  })
}

void t.test('checks the verifier with an invalid solution', async (t) => {
  const check = async (respond: (response: ServerResponse) => void): Promise<boolean> => {
    const { url } = await open(t, respond)
    return acceptsInvalidSolution({ url, secret: 'the secret' }, AbortSignal.timeout(10_000))
  }
  const { 'a solution that is too large': withoutResult, ...invalid } = INVALID
  for (const [title, respond] of Object.entries(invalid)) t.equal(await check(respond), false, title)
  t.equal(await check(json(200, { success: true })), true, 'the secret is one for tests')
  for (const [title, respond] of Object.entries({ ...UNAVAILABLE, withoutResult }))
    await t.rejects(check(respond), { message: /^(?!.*the secret)./ }, title)
  await t.rejects(check(json(200, { 'error-codes': ['invalid-input-secret'] })), { message: /rejects CAPTCHA_SECRET/ })
})

void t.test('does not wait for a verifier that does not respond', async (t) => {
  const { captcha } = await open(t, () => undefined, 300)
  t.equal(await captcha.verify('x', '192.0.2.1'), undefined)
  t.notOk(captcha.isAvailable())
})

void t.test('stops calling after five failures in a row', async (t) => {
  const { captcha, requests } = await open(t, json(500, {}))
  for (let times = 0; times < 8; times++) await captcha.verify('x', '192.0.2.1')
  t.equal(requests.length, 5)
})

void t.test('allows most of the share of a network without a solution', async (t) => {
  t.equal(freeRequestsPerDay({ perDay: 10_000, perCountryPerDay: 5000, networkPercent: 5 }), 200)
  t.equal(freeRequestsPerDay({ perDay: 10, perCountryPerDay: 5000, networkPercent: 1 }), 1)
})
