// Access lines, request ids, and the log of repeated faults.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, createWriteStream, existsSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readConfig } from '../../../src/config/index.ts'
import { loggedAccessLines, writtenAccessLines, type AccessLine } from '../../../src/http/observation/access-line.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { openService } from '../../support/service/service.ts'
import { rawClient } from '../../support/servers/edge-server.ts'
import { openWorld } from '../../support/service/world.ts'

const UUID = /^[\da-f]{8}-[\da-f-]{27}$/
const POLL_MS = 50
/** Nothing listens there. */
const CLOSED_REDIS = 'redis://127.0.0.1:9'

const telemetryOf = (variables: Record<string, string>): ReturnType<typeof readConfig>['telemetry'] =>
  readConfig({ NODE_ENV: 'test', ...variables }).telemetry

void t.test('writes a line for each request', async (t) => {
  const lines: string[] = []
  const service = await openService({
    config: { telemetry: telemetryOf({ ACCESS_LOG: 'yes' }) },
    telemetry: { accessLog: { write: (line) => lines.push(line) } },
  })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const nextLine = async (): Promise<unknown> => {
    while (lines.length === 0) await sleep(POLL_MS)
    return JSON.parse(lines.shift() ?? '')
  }

  const requestId = 'proxy-4f7d_1'
  const { headers } = await world.send('checkToken')({ headers: { 'x-request-id': requestId } })
  t.equal(headers['x-request-id'], requestId)
  const line = (await nextLine()) as Record<string, unknown>
  t.match(line, {
    level: 30,
    method: 'GET',
    url: '/api/v1/auth/check',
    status: 401,
    operationId: 'checkToken',
    errorCode: 'token_missing',
    requestId,
    clientAddress: world.address.replace(/\d+$/, '*'),
    msg: 'request',
  })
  t.type(line['durationMs'], 'number')

  await world.send('confirmEmail')({ json: { token: 'x'.repeat(43) } })
  t.match(await nextLine(), { operationId: 'confirmEmail' })
  await fetch(`${service.origin}/no/such/sara@example.org?token=secret`, { method: 'DELETE' })
  const unknown = (await nextLine()) as Record<string, unknown>
  t.match(unknown, { method: 'DELETE', status: 404, errorCode: 'route_unknown' })
  t.notOk('operationId' in unknown)
  t.notMatch(JSON.stringify(unknown), /sara|secret/)
  // The router takes what follows `#` for a query.
  for (const target of ['/no/such#token=secret', '/api/v1/lookups/regions#country_id=682'])
    rawClient(service.origin, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const both = [await nextLine(), await nextLine()]
  t.notMatch(JSON.stringify(both), /secret/)
  t.match(
    both.find((each) => 'operationId' in (each as object)),
    { operationId: 'listRegions', status: 200 },
  )
  await fetch(`${service.origin}/health/live`)
  t.match(await nextLine(), { url: '/health/live', status: 200 })
})

void t.test('masks the address of a client in every log line, unless full addresses are configured', async (t) => {
  for (const [value, shown] of [
    ['masked', (address: string) => address.replace(/\d+$/, '*')],
    ['full', (address: string) => address],
  ] as const) {
    const service = await openService({
      config: { telemetry: telemetryOf({ ACCESS_LOG: 'yes', ACCESS_LOG_CLIENT_ADDRESS: value }) },
    })
    t.teardown(() => service.close())
    const world = await openWorld(service)
    await world.send('login')({ json: { email: 'nobody@example.org', password: 'olive3kayak' } })
    const lines = service.log.map((line) => JSON.parse(line) as { msg: string; address?: string })
    t.equal(lines.find(({ msg }) => msg === 'login_failed')?.address, shown(world.address))
    if (value === 'masked') t.notMatch(service.log.join(''), new RegExp(`"${world.address}"`))
  }
})

void t.test('replaces malformed request ids of proxies, and those of others', async (t) => {
  const idFrom = async (origin: string, id: string): Promise<string | null> =>
    (await fetch(`${origin}/health/live`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')

  const behindProxy = await openService()
  t.teardown(() => behindProxy.close())
  t.equal(await idFrom(behindProxy.origin, 'a'.repeat(36)), 'a'.repeat(36))
  for (const malformed of ['', 'a'.repeat(37), 'a b', 'a"b', 'a,b'])
    t.match(await idFrom(behindProxy.origin, malformed), UUID)

  const open = await openService({ config: { trustedProxies: [] } })
  t.teardown(() => open.close())
  t.match(await idFrom(open.origin, 'a'.repeat(36)), UUID)
})

void t.test('logs a repeated fault once, and then its number each second', async (t) => {
  const service = await openService({
    config: { redisUrl: CLOSED_REDIS, telemetry: telemetryOf({ ACCESS_LOG: 'no' }) },
  })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const faults = (): { code: string; err?: { stack: string }; count?: number; requestId?: string }[] =>
    service.log
      .map((line) => JSON.parse(line) as { code: string; msg: string })
      .filter(({ msg }) => /^requests? failed: service unavailable$/.test(msg))
  const fail = (): Promise<unknown> =>
    world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } })
  const sent = 10
  const responses = await Promise.all(Array.from({ length: sent }, fail))
  t.match(
    responses,
    Array.from({ length: sent }, () => ({ status: 503 })),
  )
  const isCounted = (): boolean => 1 + faults().reduce((sum, { count = 0 }) => sum + count, 0) >= sent
  while (!isCounted()) await sleep(POLL_MS)
  const [first, ...others] = faults()
  t.match(first, { code: 'limits_unavailable', requestId: UUID })
  t.ok(others.length < sent / 2)
  for (const other of others) t.notOk(other.err)
  t.notOk(
    service.log.some((line) => line.includes('"msg":"request"')),
    'ACCESS_LOG=no',
  )
})

void t.test('writes and logs the same fields', (t) => {
  const log: string[] = []
  const logger = jsonLog('info', { write: (line) => log.push(line) })
  const outcome = { method: 'GET', url: '/"quoted"\\', status: 200, operationId: undefined, errorCode: undefined }
  const line: AccessLine = { durationMs: 1.5, requestId: 'id', clientAddress: '2001:db8:1:2::3', aborted: true }
  const linesOf = (given: AccessLine, showsClientAddress: boolean): object[] => {
    loggedAccessLines(logger, { showsClientAddress })(outcome)(given)
    writtenAccessLines((text) => log.push(text), { showsClientAddress })(outcome)(given)
    return log.splice(0).map((text) => ({ ...(JSON.parse(text) as object), time: 0 }))
  }
  for (const showsClientAddress of [true, false]) {
    const [logged, written] = linesOf(line, showsClientAddress)
    t.same(written, logged)
    t.match(logged, { clientAddress: showsClientAddress ? '2001:db8:1:2::3' : '2001:db8:1:*' })
    const [loggedWithout, writtenWithout] = linesOf({ ...line, clientAddress: undefined }, showsClientAddress)
    t.same(writtenWithout, loggedWithout)
    t.notOk('clientAddress' in (writtenWithout ?? {}), 'a client that has reset its connection has no address')
  }
  t.end()
})

const IMPORT = `import { jsonLog, openAccessLog } from '${new URL('../../../src/lib/log.js', import.meta.url).href}'`

/**
 * Writes to a log and to access lines until both have failed several times, and ends. The log fails at once, the access lines
 * fail later, in \`fs.write\`.
 */
const WRITER = `
import { EventEmitter, once } from 'node:events'
import fs from 'node:fs'
${IMPORT}
const writes = new EventEmitter()
const { write } = fs
fs.write = (...given) => {
  const done = given.pop()
  write(...given, (error, ...results) => {
    done(error, ...results)
    if (error) writes.emit('failed')
  })
}
const [log, lines] = [jsonLog('info'), openAccessLog()]
for (let round = 0; round < 5; round++) {
  const failed = once(writes, 'failed')
  for (let line = 0; line < 500; line++) {
    log.info({ round }, 'x'.repeat(200))
    lines.write('x'.repeat(200))
  }
  await failed
}
lines.flush()
console.error('written')`

void t.test('runs on while its log cannot be written', { skip: !existsSync('/dev/full') }, async (t) => {
  const full = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(full))
  const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER], { stdio: ['ignore', full, 'pipe'] })
  let errors = ''
  writer.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  t.same(await once(writer, 'close'), [0, null])
  t.equal(errors, 'written\n')
})

const LINES = 20_000
/** Writes numbered access lines and lines of the log, and waits until it is killed. */
const NUMBERED = `${IMPORT}
const [log, lines] = [jsonLog('info'), openAccessLog()]
for (let line = 0; line < ${LINES}; line++) {
  lines.write(JSON.stringify({ line, text: 'x'.repeat(line % 300) }) + '\\n')
  if (line % 10 === 0) log.info({ line: -1 }, 'y'.repeat(line % 300))
  if (line % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}
setInterval(() => undefined, 1000)`

/** What standard output can be. Each function returns one whose bytes end in a file. */
const OUTPUTS: Readonly<Record<string, (t: Test, file: string) => Promise<number | Socket>>> = {
  file: (_t, file) => Promise.resolve(openSync(file, 'a')),
  pipe(t, file) {
    const pipe = `${file}.pipe`
    execFileSync('mkfifo', [pipe])
    const reader = spawn('cat', [pipe], { stdio: ['ignore', openSync(file, 'a'), 'inherit'] })
    t.teardown(() => reader.kill())
    return Promise.resolve(openSync(pipe, 'r+'))
  },
  async socket(t, file) {
    const path = join(temporaryFolder(), 'socket') // at most 107 bytes
    const server = createServer((socket) => socket.pipe(createWriteStream(file))).listen(path)
    await once(server, 'listening')
    const socket = connect(path)
    await once(socket, 'connect')
    t.teardown(() => {
      socket.destroy()
      server.close()
    })
    return socket
  },
}

for (const [kind, open] of Object.entries(OUTPUTS))
  void t.test(`cuts no line of two processes with one ${kind}, and holds none back`, async (t) => {
    const file = join(t.testdir({ log: '' }), 'log')
    const output = await open(t, file)
    const writers = [1, 2].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', NUMBERED], { stdio: ['ignore', output, 'inherit'] }),
    )
    t.teardown(() => writers.map((writer) => writer.kill('SIGKILL')))
    const read = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)
    while (read().length < 2 * (LINES + LINES / 10)) await sleep(POLL_MS)
    const lines = read().map((line) => JSON.parse(line) as { line: number })
    t.equal(lines.filter(({ line }) => line >= 0).length, 2 * LINES)
  })
