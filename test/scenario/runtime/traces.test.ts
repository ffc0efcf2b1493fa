// Traces: one joins the caller, the service, the database, other systems and the delivery of events.
import { writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { s3Storage } from '../../../src/adapters/files/s3.ts'
import { readConfig } from '../../../src/config/index.ts'
import { openTelemetry } from '../../../src/telemetry/index.ts'
import { openTracer } from '../../../src/telemetry/tracing/index.ts'
import { adminToken, userPath } from '../../support/cases/administration.ts'
import { openS3 } from '../../support/files/s3.ts'
import { clientForm, picture } from '../../support/accounts/profile-forms.ts'
import { image } from '../../support/files/files.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { localServer } from '../../support/servers/local-server.ts'
import { openReceiver, SECRET } from '../../support/servers/receiver.ts'
import { openObserved, openSpanReceiver, type ReceivedSpan } from '../../support/service/telemetry.ts'
import { PASSWORD } from '../../support/service/world.ts'

const CALLER = '00f067aa0ba902b7'
const SERVER = 2
const CLIENT = 3
const TRACED = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }

/** Returns the id of a trace, and the header that continues it. */
function newTrace(number: number): { id: string; traceparent: string } {
  const id = `4bf92f3577b34da6a3ce929d0e0e47${number}`
  return { id, traceparent: `00-${id}-${CALLER}-01` }
}

const { sms } = readConfig({ NODE_ENV: 'test' })

void t.test('joins the caller, the service, the database, SMS and the delivery of an event', async (t) => {
  const { url, spans } = await openSpanReceiver(t)
  const receiver = await openReceiver(t)
  const smsHeaders: IncomingHttpHeaders[] = []
  const provider = await localServer(t, (request, response) => {
    smsHeaders.push(request.headers)
    request.resume().on('end', () => response.writeHead(202).end())
  })
  const { world, telemetry } = await openObserved(
    t,
    { ...TRACED, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: 'accounts' },
    {
      events: { url: receiver.url, secrets: [SECRET] },
      sms: {
        ...sms,
        providers: [{ kind: 'webhook', name: 'webhook', url: provider, token: undefined, timeoutMs: 4000 }],
      },
    },
  )
  const person = await world.person()
  const [suspending, checking, reading] = [newTrace(31), newTrace(32), newTrace(33)]
  const token = await person.token()
  await world.send('getProfile')({ token, headers: { traceparent: reading.traceparent } })
  const json = { reason: 'private reason' }
  const headers = { traceparent: suspending.traceparent }
  await world.send('adminSuspendUser')({ ...userPath(person), token: await adminToken(world), json, headers })
  const form = { phone_code: '966', phone: world.newPhone() }
  await world.send('checkPhone')({ form, headers: { traceparent: checking.traceparent } })
  const [event] = await receiver.until(person.id, 1)
  await world.service.app.close() // waits for the result of the delivery
  await telemetry.tracer?.close()

  const spansOf = (traceId: string): ReceivedSpan[] => spans.filter((span) => span.traceId === traceId)
  const byName = (id: string, name: string): ReceivedSpan | undefined => spansOf(id).find((span) => span.name === name)

  const server = byName(suspending.id, 'POST /api/v1/admin/users/{user_id}/suspend')
  t.match(server, { kind: SERVER, parentSpanId: CALLER, isError: false })
  t.match(server?.attributes, { 'http.response.status_code': 200, 'tawthiq.operation': 'adminSuspendUser' })
  const statements = spansOf(suspending.id).filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
  const [first, begin] = statements.map(({ name }) => name)
  t.same([first, begin, statements.at(-1)?.name], ['SELECT session-proven-account', 'BEGIN', 'COMMIT'])
  t.ok(statements.every(({ parentSpanId }) => parentSpanId === server?.spanId))
  const delivery = byName(suspending.id, 'event delivery')
  t.equal(delivery?.parentSpanId, server?.spanId)
  t.equal(event?.headers['traceparent'], `00-${suspending.id}-${delivery?.spanId ?? ''}-01`)

  const sent = byName(checking.id, 'SMS send')
  t.equal(smsHeaders[0]?.['traceparent'], `00-${checking.id}-${sent?.spanId ?? ''}-01`)
  const request = byName(checking.id, 'POST /api/v1/auth/check-phone')
  t.equal(sent?.parentSpanId, request?.spanId, 'also after the body was read')
  const read = byName(reading.id, 'SELECT session-profile')
  t.equal(read?.parentSpanId, byName(reading.id, 'GET /api/v1/profile')?.spanId, 'a batched read')

  const text = JSON.stringify(spans)
  for (const personal of [person.email, person.phone.slice(1), form.phone.slice(1), 'private reason', token])
    t.notMatch(text, personal)
  t.match(text, '"db.query.text":"SELECT')
})

void t.test('traces Redis scripts', { skip: !process.env['REDIS_URL'] && 'needs REDIS_URL' }, async (t) => {
  const { url, spans } = await openSpanReceiver(t)
  const { world, telemetry } = await openObserved(t, { ...TRACED, OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const { id, traceparent } = newTrace(36)
  const json = { email: (await world.person()).email, password: PASSWORD }
  t.equal((await world.send('login')({ json, headers: { traceparent } })).status, 200)
  await world.service.app.close()
  await telemetry.tracer?.close()

  const own = spans.filter((span) => span.traceId === id)
  const request = own.find(({ name }) => name === 'POST /api/v1/auth/login')
  const scripts = own.filter(({ attributes }) => attributes['db.system.name'] === 'redis')
  t.ok(scripts.length > 0)
  for (const script of scripts) {
    t.match(script, { name: /^EVALSHA \w+$/, kind: CLIENT, parentSpanId: request?.spanId, isError: false })
    t.match(script.attributes, { 'db.operation.name': 'EVALSHA', 'db.stored_procedure.name': /^\w+$/ })
  }
  t.notMatch(JSON.stringify(scripts), json.email)
})

void t.test('traces a file store, and passes the trace on', async (t) => {
  const { url, spans } = await openSpanReceiver(t)
  const { world, telemetry } = await openObserved(
    t,
    { ...TRACED, OTEL_EXPORTER_OTLP_ENDPOINT: url },
    { files: { s3: await openS3() } },
  )
  const { traceparent, id } = newTrace(34)
  const person = await world.person()
  const form = { ...clientForm(person), profile_photo: picture() }
  t.equal((await world.send('updateProfile')({ token: await person.token(), form })).status, 200)
  const path = join(temporaryFolder(), 'photo')
  writeFileSync(path, await image())
  const s3Headers: IncomingHttpHeaders[] = []
  const endpoint = await localServer(t, (request, response) => {
    s3Headers.push(request.headers)
    request.resume().on('end', () => response.writeHead(200).end())
  })
  const tracer = telemetry.tracer
  const storage = s3Storage({ ...(await openS3()), endpoint, tracer })
  await tracer?.trace('upload', { parent: traceparent }, () => storage.put(storage.newKey(), path, 'image/png'))
  await tracer?.close()
  t.ok(spans.some(({ name }) => name === 'S3 PutObject'))
  const upload = spans.find(({ name }) => name === 'upload')
  const put = spans.find(({ parentSpanId }) => parentSpanId === upload?.spanId)
  t.equal(put?.name, 'S3 PutObject')
  t.equal(s3Headers[0]?.['traceparent'], `00-${id}-${put?.spanId ?? ''}-01`)
  t.notMatch(String(s3Headers[0]?.authorization), 'traceparent', 'a proxy may replace it')
})

void t.test('lets only trusted senders decide whether a trace is recorded', async (t) => {
  const { url } = await openSpanReceiver(t)
  const { telemetry } = readConfig({
    ...TRACED,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  const { tracer, close } = await openTelemetry(telemetry)
  t.teardown(close)
  const { id, traceparent } = newTrace(35)
  const flagsFrom = (isTrusted: boolean): string | undefined => {
    let header: string | undefined
    tracer?.startRequest({ traceparent }, isTrusted).run(() => (header = tracer.headers()['traceparent']))
    t.match(header, id, 'both join the trace')
    return header?.slice(-2)
  }
  t.equal(flagsFrom(true), '01')
  t.equal(flagsFrom(false), '00')
})

void t.test('sends Protobuf by default, and marks failed calls without their messages', async (t) => {
  const bodies: { type: string | undefined; token: unknown; text: string }[] = []
  const url = await localServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { 'content-type': type, 'x-token': token } = request.headers
      bodies.push({ type, token, text: Buffer.concat(chunks).toString('latin1') })
      response.writeHead(200).end()
    })
  })
  const { tracing } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
  }).telemetry
  if (!tracing) throw new Error('tracing is not configured')
  const tracer = openTracer(tracing, '1.2.3')
  const failing = tracer.trace('call', { parent: null }, () => Promise.reject(new TypeError('sara@example.org')))
  await t.rejects(failing, { message: 'sara@example.org' })
  await tracer.close()
  t.match(bodies[0], { type: 'application/x-protobuf', token: 'a b', text: /TypeError/ })
  t.match(bodies[0]?.text, '1.2.3')
  t.notMatch(bodies[0]?.text, 'sara')
})

void t.test('is off unless a variable turns it on', (t) => {
  const tracingOf = (variables: Record<string, string>): unknown => readConfig(variables).telemetry.tracing
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  t.equal(tracingOf({}), undefined)
  t.equal(tracingOf({ OTEL_SERVICE_NAME: 'accounts' }), undefined)
  t.match(tracingOf(endpoint), { url: 'http://collector:4318/v1/traces', serviceName: 'tawthiq' })
  t.match(tracingOf({ OTEL_TRACES_EXPORTER: 'otlp' }), { url: 'http://localhost:4318/v1/traces' })
  t.equal(tracingOf({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), undefined)
  t.equal(tracingOf({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }), undefined)
  t.end()
})
