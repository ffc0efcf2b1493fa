// How the connections of a server end in a shutdown.
import { once } from 'node:events'
import { request, Agent, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { openEdgeServer, SHORT_LIMITS } from '../../support/servers/edge-server.ts'

const connectionLimits = { ...SHORT_LIMITS, headMs: 30_000, requestMs: 60_000, idleMs: 60_000 }
const GET = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n'

/** A client that remains connected */
function openClient(origin: string): {
  socket: Socket
  until(text: string): Promise<string>
  closed: Promise<unknown>
} {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  t.teardown(() => socket.destroy())
  let received = ''
  socket.on('data', (bytes: Buffer) => (received += bytes.toString()))
  return {
    socket,
    async until(text) {
      while (!received.includes(text)) await once(socket, 'data')
      const response = received
      received = ''
      return response
    },
    closed: once(socket, 'close'),
  }
}

void t.test('serves an open connection once more, and says that it closes', async (t) => {
  const { origin, server } = await openEdgeServer({ connectionLimits })
  const { socket, until, closed } = openClient(origin)
  socket.write(GET)
  t.match(await until('"small":true'), /connection: keep-alive/i)
  await server.drain.begin()
  socket.write(GET)
  t.match(await until('"small":true'), /connection: close/i)
  await closed
  await t.rejects(fetch(origin), 'new connections are refused')
})

void t.test('announces the end with the responses to running requests', async (t) => {
  const { origin, server, served } = await openEdgeServer({ connectionLimits })
  const running = fetch(`${origin}/slow`)
  while (!served.includes('/slow')) await new Promise(setImmediate)
  await server.drain.begin()
  const response = await running
  t.equal(response.status, 200)
  t.equal(response.headers.get('connection'), 'close')
})

void t.test('closes idle connections, and those without any request', async () => {
  const { origin, server, untilConnections } = await openEdgeServer({ connectionLimits })
  const used = openClient(origin)
  used.socket.write(GET)
  await used.until('"small":true')
  const unused = openClient(origin)
  await untilConnections(2)
  await server.drain.begin()
  server.drain.closeIdle()
  await Promise.all([used.closed, unused.closed])
})

void t.test('does not close a connection on which a request is arriving', async (t) => {
  const { origin, server } = await openEdgeServer({ connectionLimits })
  const { socket, until } = openClient(origin)
  const body = '{"a":1}'
  const head = `POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const arrived = once(server.server, 'connection')
  socket.write(head.slice(0, 20))
  const [accepted] = (await arrived) as [Socket]
  while (accepted.bytesRead === 0) await new Promise(setImmediate)
  await server.drain.begin()
  server.drain.closeIdle()
  socket.write(head.slice(20) + body)
  t.match(await until('"taken":true'), /connection: close/i)
})

void t.test('rejects requests that do not end in time', async (t) => {
  const { origin, server } = await openEdgeServer({ connectionLimits })
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const headers = { 'content-type': 'application/json', 'content-length': 100 }
  const sending = request({ hostname, port, path: '/json', method: 'POST', headers, agent })
  const arrived = once(server.server, 'request')
  sending.write('{')
  await arrived
  await server.drain.begin()
  server.drain.closeIdle()
  server.drain.rejectRest()
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  t.equal(response.statusCode, 503)
  t.equal(response.headers['error-code'], 'shutting_down')
  t.equal(response.headers.connection, 'close')
  sending.on('error', () => undefined).destroy()
})

void t.test('rejects a request whose headers do not end in time', async (t) => {
  const { origin, server } = await openEdgeServer({ connectionLimits })
  const { socket, until } = openClient(origin)
  const arrived = once(server.server, 'connection')
  socket.write(GET.slice(0, 20))
  const [accepted] = (await arrived) as [Socket]
  while (accepted.bytesRead === 0) await new Promise(setImmediate)
  await server.drain.begin()
  server.drain.rejectRest()
  t.match(await until('shutting_down'), /^HTTP\/1.1 503/)
})

void t.test('serves connections that wait when it stops listening', async (t) => {
  const { origin, server } = await openEdgeServer({ connectionLimits })
  const clients = Array.from({ length: 20 }, () => openClient(origin))
  for (const { socket } of clients) socket.write(GET)
  await Promise.race(clients.map(({ socket }) => once(socket, 'connect')))
  await server.drain.begin()
  const responses = await Promise.all(clients.map(({ until }) => until('"small":true')))
  for (const response of responses) t.match(response, /^HTTP\/1.1 200[^]*connection: close/i)
})
