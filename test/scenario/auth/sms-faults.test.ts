// Every fault of every SMS provider, through the service: how long the caller waits, which provider comes next, and which
// codes can be confirmed.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ANSWERS, type Answer, type Api } from '../../../scripts/sms-simulator/responses.ts'
import { smsFailover } from '../../../src/adapters/sms/failover.ts'
import type { Sms, SmsProvider } from '../../../src/adapters/sms/index.ts'
import { webhookProvider } from '../../../src/adapters/sms/providers/webhook.ts'
import type { SmsOutcome } from '../../../src/domain/phones/sms.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { answering, CHANNEL_OF, PROVIDERS, smsServer, type Respond } from '../../support/servers/sms-servers.ts'
import { sender } from '../../support/service/sender.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

/** On an idle machine. A busy one takes longer, as the requests show that are sent meanwhile. */
const RESPONSE_MS_MAX = 5000
/** A request with a code takes as long as this number of checks of a token, besides its provider. */
const CHECKS_PER_REQUEST = 3
/** Between two of the requests that measure how busy the service is; without it, they would be what makes it busy. */
const PROBE_MS = 100
const log = jsonLog('silent')
const APIS = Object.keys(ANSWERS) as Api[] // ANSWERS has exactly these keys
/** Without an own server: nothing listens on this port */
const CLOSED = 'http://127.0.0.1:1'

type Fault = {
  /** undefined: the API has no such response */
  respond?: (api: Api) => Respond | undefined
  outcome: SmsOutcome | ((api: Api) => SmsOutcome)
}

const end =
  (status: number, headers = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end('{}')

/** A webhook has accepted a message with the status, whatever the body. */
const byStatus = (api: Api): SmsOutcome => (api === 'webhook' ? 'taken' : 'unknown')

/** A response with a 2xx that rejects the message; a webhook has none */
function rejectionWith2xx(api: Api): Respond | undefined {
  if (api === 'webhook') return undefined
  const accepted = ANSWERS[api].accepted
  const failed: Answer = { ...accepted, body: { ...accepted.body, status: 'failed' } }
  return answering(ANSWERS[api]['rejected with a 2xx'] ?? failed)
}

const FAULTS: Readonly<Record<string, Fault>> = {
  '500': { respond: () => end(500), outcome: 'unknown' },
  '429': { respond: () => end(429), outcome: 'refused' },
  'a redirect': { respond: () => end(302, { location: '/elsewhere' }), outcome: 'refused' },
  'no response': { respond: () => () => undefined, outcome: 'unknown' },
  'a reset connection': { respond: () => (response) => void response.socket?.resetAndDestroy(), outcome: 'unknown' },
  'a slow body': { respond: () => drip, outcome: byStatus },
  '50 MB': { respond: () => flood, outcome: byStatus },
  'a rejection with a 2xx': { respond: rejectionWith2xx, outcome: 'refused' },
  'a closed port': { outcome: 'refused' },
}

const drip: Respond = (response) => {
  response.writeHead(200).write('{')
  const timer = setInterval(() => response.write(' '), 100)
  response.on('close', () => clearInterval(timer))
}

const flood: Respond = (response) => {
  const part = Buffer.alloc(1024 * 1024, ' ')
  const write = (count: number): void => {
    if (count < 50 && !response.destroyed) response.write(part, () => write(count + 1))
    else response.end()
  }
  response.writeHead(200)
  write(0)
}

type Case = Readonly<{
  title: string
  sms: Sms
  phone: string
  outcome: SmsOutcome
  second: { received: unknown[] } | undefined
}>

/** Prepares a case with providers of its own, so that no circuit breaker is shared. */
async function prepare(
  t: Test,
  world: World,
  [name, fault]: [string, Fault],
  api: Api,
  hasSecond: boolean,
): Promise<Case | undefined> {
  const respond = fault.respond?.(api)
  if (fault.respond && !respond) return undefined
  const origin = respond ? (await smsServer(t, respond)).origin : CLOSED
  const channel = CHANNEL_OF[api]
  const first: SmsProvider = { ...PROVIDERS[api](origin), channels: new Set([channel]) }
  const second = hasSecond ? await smsServer(t, answering(ANSWERS.webhook.accepted)) : undefined
  const providers = second ? [first, webhookProvider(`${second.origin}/webhook`)] : [first]
  return {
    title: `${api}: ${name}${hasSecond ? ', with a second provider' : ''}`,
    sms: smsFailover({ default: providers }, log),
    phone: world.newPhone(),
    outcome: typeof fault.outcome === 'function' ? fault.outcome(api) : fault.outcome,
    second,
  }
}

/** Sends checkToken until a promise settles. Returns the durations in milliseconds, in ascending order. */
async function measureWhile(running: Promise<unknown>, request: () => Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  const ended = new AbortController()
  const stop = (): void => ended.abort()
  void running.then(stop, stop)
  while (!ended.signal.aborted) {
    const startMs = performance.now()
    await request()
    durations.push(performance.now() - startMs)
    await sleep(PROBE_MS)
  }
  return durations.sort((a, b) => a - b)
}

t.jobs = APIS.length // they mostly wait
for (const api of APIS)
  void t.test(`${api}: every fault`, { buffered: true }, async (t) => {
    const service = await openService()
    t.teardown(() => service.close())
    const world = await openWorld(service)
    const { context } = service.app
    const token = await (await world.person()).token()
    const prepared = Object.entries(FAULTS).flatMap((fault) =>
      [false, true].map((hasSecond) => prepare(t, world, fault, api, hasSecond)),
    )
    const cases = (await Promise.all(prepared)).filter((each) => each !== undefined)
    const byPhone = new Map(cases.map((each) => [`+966${each.phone.slice(1)}`, each.sms]))
    const codes = new Map<string, string>()
    await world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } }) // loads what the first request needs
    context.sms = {
      send(message) {
        codes.set(message.to.e164, message.code ?? '')
        return byPhone.get(message.to.e164)?.send(message) ?? Promise.reject(new Error('no such case'))
      },
    }

    const run = async ({ title, phone, outcome, second }: Case, at: number): Promise<number> => {
      const address = `10.77.${APIS.indexOf(api)}.${at}`
      const form = { phone_code: '966', phone, channel: title.startsWith('twilioCalls') ? 'voice' : 'sms' }
      const startMs = performance.now()
      const checked = await sender(service.origin, 'checkPhone', address)({ form })
      const responseMs = performance.now() - startMs
      t.equal(second?.received.length ?? 0, second && outcome === 'refused' ? 1 : 0, `${title}: the second provider`)
      const isSent = outcome === 'taken' || (outcome === 'refused' && second !== undefined)
      t.equal(checked.status, isSent ? 200 : 503, `${title}: status`)
      if (isSent && outcome === 'refused') t.equal(checked.headers['code-channel'], 'sms', `${title}: the channel`)
      const otp = codes.get(`+966${phone.slice(1)}`) ?? ''
      const confirmed = await sender(
        service.origin,
        'confirmPhone',
        address,
      )({ form: { phone_code: '966', phone, otp } })
      const isLive = isSent || outcome === 'unknown' // the message may have been sent
      t.equal(confirmed.status, isLive ? 200 : 400, `${title}: confirmation`)
      return responseMs
    }
    const running = Promise.all(cases.map(run))
    const durations = await measureWhile(running, () => world.send('checkToken')({ token }))
    const slowest = durations.at(-1) ?? 0
    for (const [at, responseMs] of (await running).entries()) {
      t.ok(
        responseMs < RESPONSE_MS_MAX + CHECKS_PER_REQUEST * slowest,
        `${cases[at]?.title ?? ''}: responds in ${responseMs} ms`,
      )
    }
    const p99 = durations[Math.floor(durations.length * 0.99)] ?? NaN
    t.comment(`checkToken during ${cases.length} faults: ${durations.length} requests, p99 ${p99.toFixed(1)} ms`)
  })
