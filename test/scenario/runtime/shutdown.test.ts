// A shutdown loses no request: the service is not ready first, serves requests meanwhile, and then stops listening.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { start, temporaryFolder } from '../../support/processes/process.ts'

const PAUSE_MS = 5
const BODY = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
/** Each test starts the service of the one before again. */
const folder = temporaryFolder()
const LOGIN = `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`

/** Sends a request one byte at a time, and the last bytes only when `send` is called. */
async function openSlowClient(origin: string): Promise<{ finish(): Promise<string>; socket: Socket }> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  for (const byte of LOGIN + BODY.slice(0, 10)) socket.write(byte)
  return {
    socket,
    async finish() {
      let received = ''
      socket.on('data', (bytes: Buffer) => (received += bytes.toString()))
      socket.write(BODY.slice(10))
      await once(socket, 'close')
      return received
    },
  }
}

/**
 * Sends requests, some on connections that remain open, until the service no longer listens. Returns their statuses.
 *
 * @param statuses the array to add them to
 */
async function requestsUntilRefused(origin: string, statuses: number[] = []): Promise<number[]> {
  for (;;) {
    try {
      const response = await fetch(`${origin}/api/v1/lookups`)
      await response.arrayBuffer()
      statuses.push(response.status)
      await sleep(PAUSE_MS)
    } catch (error) {
      const { code } = (error as { cause?: { code?: string } }).cause ?? {}
      t.equal(code, 'ECONNREFUSED', 'no connection is broken')
      return statuses
    }
  }
}

void t.test('serves all requests until it stops listening, whatever others do', async (t) => {
  const environment = { DATA_DIR: folder, SHUTDOWN_DELAY: '1', SHUTDOWN_TIMEOUT: '60' }
  const { origin, kill } = await start(environment)
  t.equal((await fetch(`${origin}/health/ready`)).status, 200)
  t.equal((await fetch(`${origin}/health/started`)).status, 200)
  const slow = await openSlowClient(origin)
  t.teardown(() => slow.socket.destroy())

  const ended = kill('SIGTERM')
  let ready = await fetch(`${origin}/health/ready`)
  while (ready.status === 200) ready = await fetch(`${origin}/health/ready`)
  t.equal(ready.headers.get('error-code'), 'shutting_down')
  t.equal((await fetch(`${origin}/health/live`)).status, 200)
  const statuses = await requestsUntilRefused(origin)
  t.ok(statuses.length > 0)
  t.same([...new Set(statuses)], [200])
  const response = await slow.finish()
  t.match(response, /^HTTP\/1.1 200/, 'the slow request is completed')
  t.match(response, /connection: close/i)
  t.equal(await ended, 0)
})

void t.test('breaks no connection without SHUTDOWN_DELAY', async (t) => {
  const { origin, kill } = await start({ DATA_DIR: folder, SHUTDOWN_DELAY: '0' })
  const statuses: number[] = []
  const running = Array.from({ length: 20 }, () => requestsUntilRefused(origin, statuses))
  while (statuses.length < running.length) await sleep(PAUSE_MS)
  const ended = kill('SIGTERM')
  await Promise.all(running)
  t.same([...new Set(statuses)], [200])
  t.equal(await ended, 0)
})

void t.test('ends requests that take longer than SHUTDOWN_TIMEOUT', async (t) => {
  const { origin, kill } = await start({ DATA_DIR: folder, SHUTDOWN_TIMEOUT: '1' })
  const slow = await openSlowClient(origin)
  t.teardown(() => slow.socket.destroy())
  while (!(await fetch(`${origin}/health/live`)).ok);
  let received = ''
  slow.socket.on('data', (bytes: Buffer) => (received += bytes.toString()))
  t.equal(await kill('SIGTERM'), 0)
  t.match(received, /^HTTP\/1.1 503[^]*shutting_down/)
})
