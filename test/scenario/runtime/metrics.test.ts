// The metrics that the management server serves, while each of their families is driven up.
import { readdirSync } from 'node:fs'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { observedQueue } from '../../../src/adapters/queues/observed-queue.ts'
import { readConfig } from '../../../src/config/index.ts'
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../../src/lib/metrics.ts'
import { observePool } from '../../../src/database/connection/observed-pool.ts'
import { StartupError } from '../../../src/lib/startup-error.ts'
import { openManagementServer } from '../../../src/management/server.ts'
import { taskMetrics } from '../../../src/runtime/observation/tasks.ts'
import { collectMetrics } from '../../../src/telemetry/metrics.ts'
import { adminToken, userPath } from '../../support/cases/administration.ts'
import { saudiNumber } from '../../support/accounts/registrations.ts'
import { settled } from '../../support/accounts/resets.ts'
import { openReceiver, SECRET } from '../../support/servers/receiver.ts'
import { openObserved } from '../../support/service/telemetry.ts'
import type { Person, World } from '../../support/service/world.ts'

const WITH_METRICS = { MANAGEMENT_PORT: '0', BUILD_COMMIT: 'abc1234' }
/** Nothing listens there. */
const CLOSED = '127.0.0.1:9'
const SMS_PER_DAY = 8
/** The share of them for requests without proof */
const FREE = 6
const POLL_MS = 20

const { sms, mail } = readConfig({ NODE_ENV: 'test' })
const budgets = { perDay: SMS_PER_DAY, perCountryPerDay: 100, networkPercent: 100, resetPercent: 0 }
const unreachable = {
  kind: 'webhook',
  name: 'webhook',
  url: `http://${CLOSED}/sms`,
  token: undefined,
  timeoutMs: 4000,
} as const

async function suspend(world: World, person: Person, token: string): Promise<void> {
  await world.send('adminSuspendUser')({ ...userPath(person), token, json: { reason: 'why' } })
}

void t.test('counts requests, limits, SMS, e-mails, queues and events', async (t) => {
  const receiver = await openReceiver(t)
  const { world, readMetrics } = await openObserved(t, WITH_METRICS, {
    sms: { ...sms, budgets, providers: [unreachable, { kind: 'log', name: 'log' }] },
    mail: { ...mail, url: `smtp://${CLOSED}`, requiresTls: false, resetUrl: 'https://app.example/reset' },
    events: { url: receiver.url, secrets: [SECRET] },
  })
  const { origin } = world.service

  t.comment('requests')
  const person = await world.person()
  const token = await person.token()
  for (let count = 0; count < 3; count++) await world.send('checkToken')({ token })
  await world.send('login')({ json: { email: person.email, password: 'wrong' } })
  for (const id of [1, 2]) await fetch(`${origin}/unknown/${id}/${person.email}`)
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.end('nonsense\r\n\r\n')
  await once(socket.resume(), 'close')

  t.comment('SMS')
  const { phone, phone_code, otp } = await saudiNumber(world)
  await world.send('confirmPhone')({ form: { phone, phone_code, otp } })
  for (let count = 1; count < FREE; count++) await saudiNumber(world)
  t.equal((await world.send('checkPhone')({ form: { phone_code, phone: world.newPhone() } })).status, 429)

  t.comment('e-mails')
  await world.send('requestPasswordReset')({ json: { by: 'email', email: person.email } })
  await settled(world)

  t.comment('events: one is delivered, one fails and is delivered later')
  const [accepted, rejected] = [await world.person(), await world.person()]
  receiver.respondTo(rejected.id, 500)
  const admin = await adminToken(world)
  for (const each of [accepted, rejected]) await suspend(world, each, admin)
  const isSettled = async (): Promise<boolean> => {
    const { rows } = await world.service.database.pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM events WHERE delivered_at IS NULL AND last_failure IS NULL`,
    )
    return rows[0]?.open === 0
  }
  while (!(await isSettled())) await sleep(POLL_MS)
  await world.send('adminListUsers')({ token: admin })

  const { text, valueOf } = await readMetrics()
  const requests = 'http_server_request_duration_seconds_count'
  t.equal(valueOf(requests, { operation: 'checkToken', method: 'GET', status: '200', error_code: '' }), 3)
  t.equal(valueOf(requests, { operation: 'login', status: '401', error_code: 'credentials_wrong' }), 1)
  t.equal(valueOf(requests, { operation: 'unknown', status: '404', error_code: 'route_unknown' }), 2)
  t.equal(valueOf('http_server_request_duration_seconds_bucket', { operation: 'checkToken', le: '+Inf' }), 3)
  t.ok((valueOf('http_server_request_duration_seconds_sum', { operation: 'login', status: '200' }) ?? 0) > 0)
  t.equal(valueOf('http_server_active_requests'), 0)
  t.equal(valueOf('tawthiq_http_unparsed_requests_total', { error_code: 'malformed_request' }), 1)

  const code = { calling_code: '966' }
  t.equal(valueOf('tawthiq_sms_messages_total', { provider: 'webhook', outcome: 'refused', ...code }), FREE)
  t.equal(valueOf('tawthiq_sms_messages_total', { provider: 'log', outcome: 'sent', ...code }), FREE)
  t.equal(valueOf('tawthiq_sms_confirmed_total', code), 1)
  t.equal(valueOf('tawthiq_sms_refused_total', { reason: 'sms-day-codes-free', ...code }), 1)
  t.equal(valueOf('tawthiq_rate_limit_refusals_total', { policy: 'sms-day-codes-free' }), 1)
  t.equal(valueOf('tawthiq_sms_budget_used', { budget: 'day' }), FREE)
  t.equal(valueOf('tawthiq_sms_budget_used', { budget: 'country_day', ...code }), FREE)
  t.equal(valueOf('tawthiq_sms_budget_limit', { budget: 'day' }), SMS_PER_DAY)
  t.equal(valueOf('tawthiq_circuit_state', { circuit: 'sms_webhook', state: 'open' }), 1, 'after five failures')
  t.equal(valueOf('tawthiq_circuit_state', { circuit: 'file_store', state: 'closed' }), 1)

  t.equal(valueOf('tawthiq_mail_messages_total', { outcome: 'failed' }), 1)
  t.equal(valueOf('tawthiq_background_tasks'), 0)
  t.ok((valueOf('tawthiq_event_deliveries_total', { outcome: 'delivered' }) ?? 0) >= 1)
  t.equal(valueOf('tawthiq_event_deliveries_total', { outcome: 'failed' }), 1)
  const calls = (dependency: string): number | undefined =>
    valueOf('tawthiq_dependency_duration_seconds_bucket', { dependency, le: '2.5' })
  t.equal(calls('sms_webhook'), 5, 'and none while its circuit is open')
  t.equal(calls('mail'), 1)
  t.equal(
    calls('events'),
    ['delivered', 'failed'].reduce(
      (sum, outcome) => sum + (valueOf('tawthiq_event_deliveries_total', { outcome }) ?? 0),
      0,
    ),
  )
  t.equal(valueOf('tawthiq_backlog_items', { backlog: 'events' }), 1)
  t.ok((valueOf('tawthiq_backlog_oldest_age_seconds', { backlog: 'events' }) ?? 0) > 0)

  t.ok((valueOf('tawthiq_queue_wait_seconds_count', { queue: 'password_hash' }) ?? 0) >= 3)
  t.equal(valueOf('tawthiq_queue_wait_seconds_count', { queue: 'administrator_reads' }), 1)
  t.equal(valueOf('tawthiq_queue_waiting', { queue: 'password_hash' }), 0)
  t.equal(valueOf('tawthiq_queue_running', { queue: 'files' }), 0)
  t.equal(valueOf('db_client_connection_max'), world.service.database.pool.options.max)

  t.equal(valueOf('tawthiq_build_info', { commit: 'abc1234', node: process.version }), 1)
  const migrations = readdirSync('prisma/migrations').filter((name) => !name.endsWith('.toml')).length
  t.equal(valueOf('tawthiq_migrations', { state: 'applied' }), migrations)
  t.equal(valueOf('tawthiq_migrations', { state: 'pending' }), 0)
  t.equal(valueOf('tawthiq_administrators_without_factor'), 1)
  t.equal(valueOf('tawthiq_database_readable'), 1)
  const keyAge = valueOf('tawthiq_key_age_seconds', { list: 'tokens' }) ?? -1
  t.ok(keyAge >= 0 && keyAge < 2 * 86_400, 'a kid has only the day')
  for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds'])
    t.type(valueOf(name), 'number', name)

  t.comment('cardinality and personal data')
  for (const name of Object.keys({ ...COUNTERS, ...HISTOGRAMS, ...GAUGES })) t.match(text, `# TYPE ${name} `)
  for (const personal of [person.email, phone.slice(1), world.address]) t.notMatch(text, personal)
  t.notMatch(text, /unknown\/1/)
})

void t.test('reads the metrics while all connections to the database are in use', async (t) => {
  const { world, readMetrics } = await openObserved(t, WITH_METRICS)
  const { pool } = world.service.database
  const token = await (await world.person()).token()
  const used = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const waiting = world.send('checkToken')({ token })
  while (pool.waitingCount === 0) await sleep(POLL_MS)
  const { valueOf } = await readMetrics()
  t.equal(valueOf('db_client_connections', { state: 'used' }), pool.options.max)
  t.ok((valueOf('db_client_connection_pending_requests') ?? 0) >= 1)
  t.equal(valueOf('http_server_active_requests'), 1)
  t.equal(valueOf('tawthiq_database_readable'), 0)
  t.equal(valueOf('tawthiq_backlog_items', { backlog: 'events' }), undefined, 'not a value that may be wrong')
  for (const client of used) client.release()
  await waiting
  const after = await readMetrics()
  t.ok((after.valueOf('db_client_connection_wait_time_seconds_count') ?? 0) >= 1)
})

void t.test('measures a queue', async (t) => {
  const metrics = collectMetrics()
  const limits = { workers: 1, waitingPerOwnerMax: 1, waitingMax: 1 }
  const queue = observedQueue(limits, 'tried', metrics)
  let end = (): void => undefined
  const first = queue.run({ owner: 'a' }, () => new Promise<void>((resolve) => (end = resolve)))
  const second = queue.run({ owner: 'a' }, async () => undefined)
  await t.rejects(
    queue.run({ owner: 'a' }, async () => undefined),
    { code: 'overloaded' },
  )
  const { text } = await metrics.render()
  t.match(text, 'tawthiq_queue_waiting{queue="tried"} 1\n')
  t.match(text, 'tawthiq_queue_running{queue="tried"} 1\n')
  t.match(text, 'tawthiq_queue_rejections_total{queue="tried"} 1\n')
  end()
  await Promise.all([first, second])
  const after = (await metrics.render()).text
  t.match(after, 'tawthiq_queue_wait_seconds_count{queue="tried"} 2\n')
  t.match(after, 'tawthiq_queue_waiting{queue="tried"} 0\n')
})

void t.test('a pool that is no longer observed has the methods of its class', async (t) => {
  const pool = new pg.Pool()
  t.teardown(() => pool.end())
  const end = observePool(pool, { metrics: collectMetrics(), tracer: undefined })
  t.ok(Object.hasOwn(pool, 'connect'))
  end()
  t.notOk(Object.hasOwn(pool, 'connect'))
  t.notOk(Object.hasOwn(pool, 'query'))
})

void t.test('measures periodic tasks', async (t) => {
  const metrics = collectMetrics()
  const measured = taskMetrics(metrics)
  await measured('file sweep', async () => undefined)()
  await t.rejects(measured('file sweep', () => Promise.reject(new Error('failed')))())
  const { text } = await metrics.render()
  t.match(text, 'tawthiq_maintenance_runs_total{task="file_sweep",outcome="success"} 1\n')
  t.match(text, 'tawthiq_maintenance_runs_total{task="file_sweep",outcome="failure"} 1\n')
  t.match(text, 'tawthiq_maintenance_duration_seconds_count{task="file_sweep"} 2\n')
  const [, at] = /tawthiq_maintenance_last_success_timestamp_seconds\{task="file_sweep"\} (\S+)/.exec(text) ?? []
  t.ok(Math.abs(Number(at) - Date.now() / 1000) < 60)
})

void t.test('serves only the routes of the management server, and names a used port', async (t) => {
  const listening = { host: '127.0.0.1', port: 0, names: [] }
  const { port, close } = await openManagementServer(
    listening,
    new Map([['/broken', () => Promise.reject(new Error('x'))]]),
  )
  t.teardown(close)
  const origin = `http://127.0.0.1:${port}`
  t.equal((await fetch(`${origin}/api/v1/profile`)).status, 404)
  t.equal((await fetch(`${origin}/broken`, { method: 'POST' })).status, 405)
  t.equal((await fetch(`${origin}/broken`)).status, 500)
  const reason = new StartupError(
    `The management server cannot listen on 127.0.0.1:${port}: it is in use by another process. Check MANAGEMENT_PORT.`,
  )
  await t.rejects(openManagementServer({ ...listening, port }, new Map()), reason)
})

void t.test('rejects public host names of requests to the management server that are not configured', async (t) => {
  const listening = { host: '127.0.0.1', port: 0, names: ['metrics.app.example'] }
  const { port, close } = await openManagementServer(
    listening,
    new Map([['/metrics', () => Promise.resolve({ type: 'text/plain', text: 'up 1' })]]),
  )
  t.teardown(close)
  const statusFor = async (host: string): Promise<number | undefined> => {
    const sent = get({ port, path: '/metrics', headers: { host } })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  for (const host of [
    'attacker.example',
    'attacker.example:80',
    '127.0.0.1.attacker.example',
    'local.attacker.example.',
  ])
    t.equal(await statusFor(host), 421, host)
  for (const host of [
    '127.0.0.1',
    `[::1]:${port}`,
    'localhost',
    'tawthiq:9464',
    'tawthiq.default.svc',
    'a.internal',
    'METRICS.app.example:1',
  ])
    t.equal(await statusFor(host), 200, host)
})
