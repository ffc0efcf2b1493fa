// What a person sees who starts the service, and what does not start.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { newKeys } from '../../src/adapters/keys.ts'
import { start, startInVain, temporaryFolder } from '../support/process.ts'
import { ownDatabase } from '../support/service.ts'

const SERVER = process.env['DATABASE_URL']

void t.test('the first start, with nothing given', async (t) => {
  const folder = temporaryFolder()
  const { origin, output, kill } = await start({ DATA_DIR: folder })
  t.match(output(), 'client@demo.test, lawyer@demo.test, admin@demo.test')
  t.match(output(), 'Tawthiq-demo-1')
  t.match(output(), /Phones .*\+966512345678.* accept the code 493027/)
  t.match(output(), '/docs')
  t.match(output(), folder)
  t.notMatch(output(), /warning/i, 'on a loopback address')
  t.equal((await fetch(`${origin}/health/ready`)).status, 200)

  const line = /^ *curl .*$/m.exec(output())?.[0] ?? ''
  const answer = JSON.parse(execFileSync('sh', ['-c', line]).toString()) as { data: { account: { token: string } } }
  const headers = { authorization: `Bearer ${answer.data.account.token}` }
  for (const path of ['/api/v1/auth/check', '/api/v1/admin/check', '/api/v1/profile']) {
    t.equal((await fetch(origin + path, { headers })).status, 200, path)
  }
  const outbox = (await (await fetch(`${origin}/dev/outbox`)).json()) as { data: unknown }
  t.same(outbox.data, { messages: [], events: [] })
  t.equal(await kill('SIGTERM'), 0)
})

void t.test(
  'the first start on a PostgreSQL server',
  { skip: SERVER === undefined && 'needs a real PostgreSQL' },
  async (t) => {
    const { url = '', drop } = await ownDatabase()
    const folder = join(temporaryFolder(), 'new')
    const { origin, output, kill } = await start({ DATA_DIR: folder, DATABASE_URL: url })
    t.match(output(), /Data +PostgreSQL at .*, database tawthiq_test_/)
    t.equal((await fetch(`${origin}/health/ready`)).status, 200)
    t.equal(await kill('SIGTERM'), 0)
    await drop()
  },
)

void t.test('a second process on the same data directory', async (t) => {
  const folder = temporaryFolder()
  const first = await start({ DATA_DIR: folder })
  const { code, output, ms } = await startInVain({ DATA_DIR: folder })
  t.equal(code, 1)
  t.match(output, /The data directory .* is in use by process \d+\. Stop it, or set DATA_DIR/)
  t.notMatch(output, /^ +at /m, 'no stack')
  t.ok(ms < 10_000, `${ms} ms`)
  t.equal((await fetch(`${first.origin}/health/ready`)).status, 200, 'the first one goes on')
  await first.kill('SIGKILL')
  const third = await start({ DATA_DIR: folder })
  t.equal((await fetch(`${third.origin}/health/ready`)).status, 200, 'its lock does not outlive it')
})

void t.test('a port that is taken', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as AddressInfo
  const { code, output } = await startInVain({ DATA_DIR: temporaryFolder(), PORT: String(port) })
  t.equal(code, 1)
  t.match(output, `Port ${port} is taken by another process.`)
  t.notMatch(output, /^ +at /m, 'no stack')
})

void t.test('a data directory that cannot be written', async (t) => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const { code, output } = await startInVain({ DATA_DIR: join(file, 'data') })
  t.equal(code, 1)
  t.match(output, /The data directory .* cannot be written/)
  t.notMatch(output, /^ +at /m, 'no stack')
})

void t.test('a database that cannot be reached', async (t) => {
  const { code, output, ms } = await startInVain({
    DATA_DIR: temporaryFolder(),
    DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x',
  })
  t.equal(code, 1)
  t.match(output, /The database x at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/)
  t.notMatch(output, /secret|^ +at /m, 'no password, no stack')
  t.ok(ms < 10_000, `${ms} ms`)
})

void t.test('a configuration with many faults: all are told at once', async (t) => {
  const { code, output } = await startInVain({
    PORT: 'abc',
    LOG_LEVEL: 'loud',
    BCRYPT_COST: '3',
    SMS_PROVIDERS: 'webhook,pigeon',
    DATABSE_URL: 'postgresql://localhost/x',
  })
  t.equal(code, 1)
  t.match(output, 'PORT: "abc" is not accepted. It takes a whole number from 0 to 65535.')
  t.match(output, 'LOG_LEVEL: "loud" is not accepted. It takes one of trace,')
  t.match(output, 'BCRYPT_COST: "3" is not accepted. It takes a whole number from 10 to 15.')
  t.match(output, 'SMS_PROVIDERS: "webhook,pigeon" is not accepted. It takes a list of log, webhook.')
  t.match(output, 'DATABSE_URL is not a variable of this service. Is DATABASE_URL meant?')
  t.notMatch(output, /^ +at /m, 'no stack')
})

void t.test('production with nothing given: all that is missing is named', async (t) => {
  const { code, output } = await startInVain({ NODE_ENV: 'production' })
  t.equal(code, 1)
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'SMS_PROVIDERS', 'KEYS_FILE']) t.match(output, `${name} is missing`)
})

void t.test(
  'a host that other machines can reach: refused in development unless allowed, and then with a warning',
  async (t) => {
    const given = { DATA_DIR: temporaryFolder(), HOST: '0.0.0.0' }
    const { code, output } = await startInVain({ ...given, PORT: 'abc' })
    t.equal(code, 1)
    t.match(output, 'HOST: "0.0.0.0" is not accepted outside production.')
    t.match(output, 'PORT: "abc" is not accepted.', 'beside all other faults')
    t.notMatch(output, /^ +at /m, 'no stack')
    const { origin, output: said, kill } = await start({ ...given, ALLOW_PUBLIC_DEVELOPMENT: 'yes' })
    t.match(said(), /Warning +other machines that can reach this address can use all of this/)
    t.equal((await fetch(`${origin}/dev/outbox`)).status, 200)
    t.equal(await kill('SIGTERM'), 0)
  },
)

void t.test('a key file that others can read', async (t) => {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'keys.json')
  writeFileSync(file, newKeys())
  chmodSync(file, 0o644)
  const { code, output } = await startInVain({ DATA_DIR: folder })
  t.equal(code, 1)
  t.match(output, /The key file .* can be read by others \(mode 644\)\. Run chmod 600/)
})

void t.test('a key file that holds something else', async (t) => {
  const { code, output } = await startInVain({ DATA_DIR: temporaryFolder(), KEYS: '{"tokens":[],"otp":""}' })
  t.equal(code, 1)
  t.match(output, /KEYS holds no good keys/)
})
