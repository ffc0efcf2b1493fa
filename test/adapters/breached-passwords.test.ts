// Lookups of breached passwords, against a server with every kind of fault.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { breachedPasswords, type BreachedPasswords } from '../../src/adapters/passwords/breached-passwords.ts'
import { jsonLog } from '../../src/lib/log.ts'
import { localServer } from '../support/servers/local-server.ts'

const BREACHED = 'correct horse battery'
const OTHER = 'another horse battery'
/** Long enough for a server on this machine */
const LONG_MS = 10_000
const SHORT_MS = 300
const FAILURES_MAX = 5

type Respond = (response: ServerResponse) => void
type Options = { timeoutMs?: number; openMs?: number }
type Lookup = { breached: BreachedPasswords; requests: IncomingMessage[]; lines: string[]; messages: () => unknown[] }

function hashOf(password: string): string {
  return createHash('sha1').update(password).digest('hex').toUpperCase()
}

/** The range of a password, among other hashes */
function rangeWith(password: string, count: number): string {
  const others = [0, 1, 2].map((at) => `${hashOf(String(at)).slice(5)}:${at}`)
  return [...others, `${hashOf(password).slice(5)}:${count}`].join('\r\n')
}

async function lookUp(t: Test, respond: Respond, options: Options = {}): Promise<Lookup> {
  const requests: IncomingMessage[] = []
  const lines: string[] = []
  const origin = await localServer(t, (request, response) => {
    requests.push(request)
    respond(response)
  })
  const log = jsonLog('info', { write: (line) => lines.push(line) })
  const breached = breachedPasswords(`${origin}/range/`, { log, timeoutMs: LONG_MS, ...options })
  return { breached, requests, lines, messages: () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg) }
}

void t.test('finds a password by the first five digits of its hash, with padding', async (t) => {
  const { breached, requests, lines } = await lookUp(t, (response) => response.end(rangeWith(BREACHED, 7)))
  t.equal(await breached.has(BREACHED), true)
  t.equal(await breached.has(OTHER), false)
  t.same(
    requests.map(({ url }) => url),
    [BREACHED, OTHER].map((password) => `/range/${hashOf(password).slice(0, 5)}`),
  )
  t.match(requests[0]?.headers, { 'add-padding': 'true' })
  t.same(lines, [])
})

void t.test('accepts hashes in lower case and ignores padding', async (t) => {
  const lower = await lookUp(t, (response) => response.end(rangeWith(BREACHED, 1).toLowerCase()))
  t.equal(await lower.breached.has(BREACHED), true)
  const padding = await lookUp(t, (response) => response.end(rangeWith(BREACHED, 0)))
  t.equal(await padding.breached.has(BREACHED), false)
})

const FAULTS: Record<string, Respond> = {
  'does not respond': () => undefined,
  'stops in the middle': (response) => response.writeHead(200).write(rangeWith(BREACHED, 7)),
  'returns 500': (response) => response.writeHead(500).end(rangeWith(BREACHED, 7)),
  'returns 429': (response) => response.writeHead(429).end(),
  redirects: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'returns garbage': (response) => response.end(`<html>\n${rangeWith(BREACHED, 7)}`),
  'returns an empty body': (response) => response.end(),
  'returns too much': (response) => response.end(`${rangeWith(BREACHED, 7)}\r\n`.repeat(10_000)),
  'closes the connection': (response) => response.destroy(),
}

for (const [title, respond] of Object.entries(FAULTS)) {
  void t.test(`accepts passwords and logs it once when the server ${title}`, async (t) => {
    const { breached, lines, messages } = await lookUp(t, respond, { timeoutMs: SHORT_MS })
    t.equal(await breached.has(BREACHED), false)
    t.equal(await breached.has(BREACHED), false)
    t.same(messages(), ['breached-password check unavailable: passwords are accepted without it'])
    const [prefix, suffix] = [hashOf(BREACHED).slice(0, 5), hashOf(BREACHED).slice(5)]
    for (const secret of [BREACHED, prefix, suffix]) t.notOk(lines.join('').includes(secret), secret)
  })
}

void t.test('stops calling a failing server and logs its recovery', async (t) => {
  let isBack = false
  const respond: Respond = (response) => (isBack ? response.end(rangeWith(BREACHED, 7)) : response.writeHead(503).end())
  const failing = await lookUp(t, respond)
  for (let lookups = 0; lookups < FAILURES_MAX + 3; lookups++) t.equal(await failing.breached.has(BREACHED), false)
  t.equal(failing.requests.length, FAILURES_MAX, 'sends no request while the circuit is open')
  const { breached, messages } = await lookUp(t, respond, { openMs: 1 })
  for (let lookups = 0; lookups < FAILURES_MAX; lookups++) await breached.has(BREACHED)
  isBack = true
  while (!(await breached.has(BREACHED))) await sleep(1)
  const away = 'breached-password check unavailable: passwords are accepted without it'
  t.same(messages(), [away, 'breached-password check available again'])
})
