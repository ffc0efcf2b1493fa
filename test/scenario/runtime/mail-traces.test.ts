// The spans of an e-mail belong to the request that queued it, whenever and by whomever it is sent.
import t, { type Test } from 'tap'
import { readConfig, type Config } from '../../../src/config/index.ts'
import type { Telemetry } from '../../../src/telemetry/index.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import { openMailServer, type MailServer } from '../../support/servers/mail-server.ts'
import { openService } from '../../support/service/service.ts'
import { openObserved, openSpanReceiver, type ReceivedSpan } from '../../support/service/telemetry.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

const CLIENT = 3
const MINUTE_MS = 60_000
const NEW_PASSWORD = 'olive-harbour-58-lantern'
const KEY = '0b3f1c5e-8f0a-4a57-9d53-6f1f3a6b2c11'

/** The id of a trace, and the headers of a request that continues it */
type Trace = { id: string; headers: { traceparent: string } }

function newTrace(number: number): Trace {
  const id = `5cf92f3577b34da6a3ce929d0e0e47${number}`
  return { id, headers: { traceparent: `00-${id}-00f067aa0ba902b7-01` } }
}

function mailConfig({ url }: MailServer): Pick<Config, 'mail'> {
  const { mail } = readConfig({ NODE_ENV: 'test' })
  return { mail: { ...mail, url, from: 'Tawthiq <no-reply@example.org>' } }
}

type Stage = {
  world: World
  server: MailServer
  telemetry: Telemetry
  /** Returns the spans of a trace with this name. */
  find(trace: Trace, name: string): ReceivedSpan[]
  spans: ReceivedSpan[]
}

/** Opens a service with a mail server and a receiver of spans. */
async function stage(t: Test): Promise<Stage> {
  const { url, spans } = await openSpanReceiver(t)
  const server = await openMailServer(t)
  const variables = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_ENDPOINT: url }
  const { world, telemetry } = await openObserved(t, variables, mailConfig(server))
  const find = ({ id }: Trace, name: string): ReceivedSpan[] =>
    spans.filter((span) => span.traceId === id && span.name === name)
  return { world, server, telemetry, find, spans }
}

async function requestReset(
  world: World,
  email: string,
  { headers }: { headers: Record<string, string> },
): Promise<void> {
  const { status } = await world.send('requestPasswordReset')({ json: { by: 'email', email }, headers })
  t.equal(status, 202)
}

/** Waits until what the requests have queued was tried once. */
async function deliver({ service }: World): Promise<void> {
  await service.app.context.background.settle()
  await service.app.deliverMails()
}

async function sendSpans({ world, telemetry }: Stage): Promise<void> {
  await world.service.app.close()
  await telemetry.tracer?.close()
}

void t.test('adds an e-mail to the trace of its request', async (t) => {
  const opened = await stage(t)
  const { world, server, find, spans } = opened
  const [sent, rejected] = [newTrace(37), newTrace(38)]
  const { email } = await world.person()
  await requestReset(world, email, sent)
  await deliver(world)
  server.failAt({ step: 'recipient', code: 450 })
  await requestReset(world, (await world.person()).email, rejected)
  await deliver(world)
  await sendSpans(opened)

  t.equal(server.accepted.length, 1)
  t.match(find(sent, 'SMTP send'), [
    {
      kind: CLIENT,
      parentSpanId: find(sent, 'POST /api/v1/auth/forgot-password')[0]?.spanId,
      isError: false,
      attributes: { 'network.protocol.name': 'smtp' },
    },
  ])
  t.match(find(rejected, 'SMTP send'), [{ isError: true }])
  t.notMatch(JSON.stringify(spans), email)
})

void t.test('keeps traces apart if one request wakes the delivery of e-mails of others', async (t) => {
  const opened = await stage(t)
  const { world, server, find } = opened
  const [first, second, waking] = [newTrace(41), newTrace(42), newTrace(43)]
  server.failAt({ step: 'connect', code: 421 })
  await requestReset(world, (await world.person()).email, first)
  await requestReset(world, (await world.person()).email, second)
  await deliver(world)
  server.failAt(undefined)
  world.wait(MINUTE_MS)
  await requestReset(world, 'nobody@example.org', waking) // sends nothing itself
  await world.service.app.context.background.settle()
  await sendSpans(opened)

  t.equal(server.accepted.length, 2)
  for (const trace of [first, second]) {
    const [request] = find(trace, 'POST /api/v1/auth/forgot-password')
    const attempts = find(trace, 'SMTP send')
    t.match(
      attempts.map(({ isError }) => isError),
      [true, false],
    )
    t.ok(attempts.every(({ parentSpanId }) => parentSpanId === request?.spanId))
  }
  t.equal(find(waking, 'POST /api/v1/auth/forgot-password').length, 1)
  t.same(find(waking, 'SMTP send'), [])
  t.same(find(waking, 'UPDATE take-due-mails'), [], 'due e-mails belong to no request')
})

/** Queues e-mails by all statements that do so. Returns the stored traces, oldest first. */
async function queueAll(world: World, { headers }: Pick<Trace, 'headers'>): Promise<(string | null)[]> {
  const person = await world.person()
  await requestReset(world, person.email, { headers })
  await requestReset(world, person.email, { headers: { ...headers, 'idempotency-key': KEY } })
  const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD }
  const changed = await world.send('changePassword')({ json: passwords, token: await person.token(), headers })
  t.equal(changed.status, 200)
  t.equal((await world.send('register')({ form: clientRegistration(), headers })).status, 201)
  const rows = await world.service.database.prisma.queuedMail.findMany({ orderBy: { id: 'asc' } })
  return rows.map(({ traceParent }) => traceParent)
}

void t.test('stores the trace of the request with each e-mail', async (t) => {
  const { world, server } = await stage(t)
  server.failAt({ step: 'connect', code: 421 })
  const trace = newTrace(44)
  const stored = await queueAll(world, trace)
  t.equal(stored.length, 4)
  for (const traceParent of stored) t.match(traceParent, new RegExp(`^00-${trace.id}-[0-9a-f]{16}-01$`))
})

void t.test('stores no trace while tracing is off', async (t) => {
  const server = await openMailServer(t)
  server.failAt({ step: 'connect', code: 421 })
  const service = await openService({ config: mailConfig(server) })
  t.teardown(() => service.close())
  const stored = await queueAll(await openWorld(service), newTrace(45))
  t.same(stored, [null, null, null, null])
})
