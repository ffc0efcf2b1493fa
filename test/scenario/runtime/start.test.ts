// The output of a start, and configurations that do not start.
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { readConfig } from '../../../src/config/index.ts'
import { explainFullDisk } from '../../../src/lib/startup-error.ts'
import { buildBanner } from '../../../src/runtime/banner.ts'
import { startHereExpectingFailure } from '../../support/processes/here.ts'
import { start, startExpectingFailure, temporaryFolder } from '../../support/processes/process.ts'
import { emptyOwnDatabase } from '../../support/service/databases.ts'
import { openService } from '../../support/service/service.ts'

const SERVER = process.env['DATABASE_URL']
/** A failed start has no deliberate pause, but may be slow on a busy machine. */
const FAILURE_MS_MAX = 60_000
/** The first test creates its database, with which later ones start faster. */
const data = temporaryFolder()

void t.test('starts without any configuration', async (t) => {
  const { origin, output, kill } = await start({ DATA_DIR: data })
  t.match(output(), 'client@demo.test, lawyer@demo.test, admin@demo.test')
  t.match(output(), 'Tawthiq-demo-1')
  t.match(output(), /Phones .*\+966512345678.* accept the code 493027/)
  t.match(output(), '/docs')
  t.match(output(), data)
  t.notMatch(output(), /warning/i, 'on a loopback address')
  t.equal((await fetch(`${origin}/health/ready`)).status, 200)

  const line = /^ *curl .*$/m.exec(output())?.[0] ?? ''
  const body = JSON.parse(execFileSync('sh', ['-c', line]).toString()) as { data: { account: { token: string } } }
  const headers = { authorization: `Bearer ${body.data.account.token}` }
  for (const path of ['/api/v1/auth/check', '/api/v1/admin/check', '/api/v1/profile']) {
    t.equal((await fetch(origin + path, { headers })).status, 200, path)
  }
  const outbox = (await (await fetch(`${origin}/dev/outbox`)).json()) as { data: unknown }
  t.same(outbox.data, { messages: [], events: [] })
  await t.test('rejects a second process on the same data directory', async (t) => {
    const { code, output: complained, ms } = await startExpectingFailure({ DATA_DIR: data })
    t.equal(code, 1)
    t.match(complained, /The data directory .* is in use by process \d+\. Stop that process, or set DATA_DIR/)
    t.notMatch(complained, /^ +at /m, 'no stack')
    t.ok(ms < FAILURE_MS_MAX, `${ms} ms`)
    t.equal((await fetch(`${origin}/health/ready`)).status, 200, 'the first process still runs')
    await kill('SIGKILL')
  })
  await t.test('starts after a killed process, on a public host in development if it is allowed', async (t) => {
    const next = await start({ DATA_DIR: data, HOST: '0.0.0.0', ALLOW_PUBLIC_DEVELOPMENT: 'yes' })
    t.equal((await fetch(`${next.origin}/health/ready`)).status, 200, 'the lock is released when the process ends')
    t.match(next.output(), /Warning +other machines can reach this address/)
    t.equal((await fetch(`${next.origin}/dev/outbox`)).status, 200)
    t.equal(await next.kill('SIGTERM'), 0)
  })
})

void t.test('starts on a PostgreSQL server', { skip: SERVER === undefined && 'needs a real PostgreSQL' }, async (t) => {
  const { environment, drop } = await emptyOwnDatabase()
  const folder = join(temporaryFolder(), 'new')
  const { origin, output, kill } = await start({ DATA_DIR: folder, ...environment })
  t.match(output(), /Data +PostgreSQL, the database tawthiq_test_.* at /)
  t.equal((await fetch(`${origin}/health/ready`)).status, 200)
  t.equal(await kill('SIGTERM'), 0)
  await drop()
})

void t.test('prints the origin of every kind of host', (t) => {
  const hosts = { '::1': '[::1]', '::': 'localhost', '0.0.0.0': 'localhost', '127.0.0.2': '127.0.0.2', app: 'app' }
  for (const [HOST, shown] of Object.entries(hosts)) {
    const banner = buildBanner(readConfig({ HOST, ALLOW_PUBLIC_DEVELOPMENT: 'yes' }), 3000, true)
    t.match(banner, `Listening  http://${shown}:3000\n`)
    t.match(banner, `curl -s http://${shown}:3000/api/`)
  }
  t.end()
})

void t.test('reports a full disk', (t) => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, open x'), { code: 'ENOSPC' })
  t.match(explainFullDisk(full), { name: 'StartupError', message: /^The disk is full\. Free space on it.*open x\.$/ })
  const other = new Error('x')
  t.equal(explainFullDisk(other), other)
  t.end()
})

void t.test('reports a port in use', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as AddressInfo
  const { code, output } = await startExpectingFailure({ DATA_DIR: data, PORT: String(port) })
  t.equal(code, 1)
  t.match(output, `Port ${port} is in use by another process.`)
  t.notMatch(output, /^ +at /m, 'no stack')
})

void t.test('reports a read-only data directory', async (t) => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const output = await startHereExpectingFailure({ DATA_DIR: join(file, 'data') })
  t.match(output, /The directory .* is not writable/)
  t.notMatch(output, /^ +at /m, 'no stack')
})

void t.test('reports a file in place of a directory', async (t) => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  for (const name of ['DATA_DIR', 'UPLOADS_DIR', 'FILES_DIR']) {
    const output = await startHereExpectingFailure({ DATA_DIR: data, [name]: file })
    t.match(output, `The directory ${file} (${name}) is not writable: it is not a directory.`)
    t.notMatch(output, /^ +at /m, 'no stack')
  }
})

void t.test('reports an unreachable database', async (t) => {
  const { code, output, ms } = await startExpectingFailure({
    DATA_DIR: temporaryFolder(),
    NODE_ENV: 'development',
    DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x',
    DATABASE_WAIT_SECONDS: '0',
  })
  t.equal(code, 1)
  t.match(output, /Cannot use the database x at 127\.0\.0\.1:1: .*ECONNREFUSED/)
  t.notMatch(output, /secret|^ +at /m, 'no password, no stack')
  t.ok(ms < FAILURE_MS_MAX, `${ms} ms`)
})

void t.test('reports all faults of a configuration at once', async (t) => {
  const { code, output } = await startExpectingFailure({
    PORT: 'abc',
    LOG_LEVEL: 'loud',
    BCRYPT_COST: '3',
    SMS_PROVIDERS: 'webhook,pigeon',
    DATABSE_URL: 'postgresql://localhost/x',
  })
  t.equal(code, 1)
  t.match(output, 'PORT: invalid value "abc". Expected a whole number from 0 to 65535.')
  t.match(output, 'LOG_LEVEL: invalid value "loud". Expected one of trace,')
  t.match(output, 'BCRYPT_COST: invalid value "3". Expected a whole number from 10 to 15.')
  t.match(output, 'SMS_PROVIDERS: invalid value "webhook,pigeon". Expected a list of log, webhook, twilio,')
  t.match(output, 'DATABSE_URL is not a known variable. Did you mean DATABASE_URL?')
  t.notMatch(output, /^ +at /m, 'no stack')
})

void t.test('names all missing variables in production', async (t) => {
  const { code, output } = await startExpectingFailure({ NODE_ENV: 'production' })
  t.equal(code, 1)
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'SMS_PROVIDERS', 'KEYS_FILE']) t.match(output, `${name} is not set`)
})

void t.test('rejects a public host in development', async (t) => {
  const { code, output } = await startExpectingFailure({ DATA_DIR: data, HOST: '0.0.0.0', PORT: 'abc' })
  t.equal(code, 1)
  t.match(output, 'HOST: "0.0.0.0" is not allowed outside production')
  t.match(output, 'PORT: invalid value "abc".', 'reported with all other faults')
  t.notMatch(output, /^ +at /m, 'no stack')
})

void t.test('rejects a key file that others can read', async (t) => {
  const folder = temporaryFolder()
  const file = join(folder, 'keys.json')
  writeFileSync(file, newKeys())
  chmodSync(file, 0o644)
  const { keys } = readConfig({ DATA_DIR: folder })
  const message = /The key file .* is accessible to other users \(mode 644\)\. Run chmod 600/
  await t.rejects(openService({ config: { keys } }), { name: 'StartupError', message })
})

void t.test('rejects a key file with other content', async (t) => {
  const { keys } = readConfig({ NODE_ENV: 'test', DATA_DIR: temporaryFolder(), KEYS: '{"tokens":[],"otp":""}' })
  await t.rejects(openService({ config: { keys } }), { name: 'StartupError', message: /KEYS is invalid at \/tokens/ })
})
