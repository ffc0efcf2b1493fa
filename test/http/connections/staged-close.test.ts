// Responses to requests that are still being sent: what follows is discarded within bounds, and the connection stays
// open or is closed in stages (RFC 9112, 9.6).
import t from 'tap'
import { openEdgeServer, rawClient, repeat, SHORT_LIMITS, MEGABYTE } from '../../support/servers/edge-server.ts'
import { openFormServer } from '../../support/servers/form-server.ts'
import { rawExchange } from '../../support/servers/raw.ts'
import { openService } from '../../support/service/service.ts'
import { fileOf, uploadClients } from '../../support/files/upload-clients.ts'

const GET = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n'
const JSON_TYPE = 'Host: x\r\nContent-Type: application/json\r\n'
const body = Buffer.alloc(5 * MEGABYTE, 'x')

const connectionLimits = { ...SHORT_LIMITS, headMs: 30_000, requestMs: 60_000, idleMs: 60_000 }

function statuses(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
}

void t.test('serves the next request on a connection whose rejected body was discarded', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  const rest = body.subarray(0, MEGABYTE)
  const client = rawClient(edge.origin, `POST /nothing HTTP/1.1\r\n${JSON_TYPE}Content-Length: ${rest.length}\r\n\r\n`)
  await client.until('"code":404')
  client.socket.write(rest)
  client.socket.write(GET)
  await client.until('{"small":true}')
  t.same(statuses(client.received()), ['404', '200'])
})

void t.test('closes the connection after rejecting a request with much more to send', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const rests: Record<string, string | Buffer> = {
    [`Content-Length: ${body.length}`]: body,
    'Transfer-Encoding: chunked': `${chunk.repeat(80)}0\r\n\r\n`,
  }
  for (const [framing, rest] of Object.entries(rests)) {
    const client = rawClient(edge.origin, `POST /nothing HTTP/1.1\r\n${JSON_TYPE}${framing}\r\n\r\n`)
    await client.until('"code":404')
    t.match(client.received(), /\r\nconnection: close\r\n/i)
    await new Promise<void>((resolve, reject) =>
      client.socket.write(rest, (error) => (error ? reject(error) : resolve())),
    )
    await client.closed
    t.same(statuses(client.received()), ['404'])
  }
})

void t.test('closes the connection of a client that sends a rejected body without end', async (t) => {
  const bounds = { ...connectionLimits, discardedBytesMax: MEGABYTE }
  const edge = await openEdgeServer({ connectionLimits: bounds })
  const client = rawClient(edge.origin, `POST /nothing HTTP/1.1\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`)
  await client.until('"code":404')
  repeat(client.socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`, 5)
  await client.closed
  t.same(statuses(client.received()), ['404'])
})

void t.test('closes the connection of a client that disconnects in the middle of a rejected body', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  for (const more of ['', 'Connection: close\r\n']) {
    const client = rawClient(edge.origin, `POST /nothing HTTP/1.1\r\n${JSON_TYPE}${more}Content-Length: 100\r\n\r\n{`)
    await client.until('"code":404')
    client.socket.end()
    await client.closed
    await edge.untilConnections(0)
  }
  t.equal(edge.served.length, 0)
})

void t.test('serves no request after the last response of a connection', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  const head = `POST /nothing HTTP/1.1\r\n${JSON_TYPE}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`
  const client = rawClient(edge.origin, head)
  await client.until('"code":404')
  client.socket.write(Buffer.concat([body, Buffer.from(GET)]))
  await client.closed
  t.same(statuses(client.received()), ['404'])
  t.same(edge.served, [])
})

void t.test('responds to malformed bytes only after the requests before them', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  const client = rawClient(edge.origin, `GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${GET}GARBAGE\r\n\r\n`)
  await client.closed
  t.same(statuses(client.received()), ['200', '200', '400'])
})

void t.test('sends the response to a malformed head to a client that continues to send', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  const { socket, closed, received } = rawClient(edge.origin, '', { reads: false })
  socket.write(`POST /nothing HTTP/1.1\r\nX: ${'a'.repeat(30_000)}\r\n\r\n`)
  await new Promise<void>((resolve) => socket.write(body, () => resolve())) // it reads only after it has sent all
  await rawClient(edge.origin, 'GARBAGE\r\n\r\n').closed // meanwhile, the service closes another connection in full
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString())).resume()
  await closed
  t.equal(received(), '')
  t.match(text, /^HTTP\/1\.1 431 /)
})

void t.test('survives clients that reset the connection in the middle of its close', async (t) => {
  const edge = await openEdgeServer({ connectionLimits })
  for (const text of [
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GARBAGE\r\n\r\n',
    `POST /nothing HTTP/1.1\r\n${JSON_TYPE}Content-Length: 9\r\n\r\n`,
  ]) {
    const client = rawClient(edge.origin, text)
    await client.until('HTTP/1.1')
    client.socket.resetAndDestroy()
  }
  await edge.untilConnections(0)
  t.equal((await fetch(`${edge.origin}/small`)).status, 200)
})

void t.test('discards the rest of a form that is rejected in the middle', async (t) => {
  const { origin } = await openFormServer()
  const parts = '--x\r\nContent-Disposition: form-data; name="day"\r\n\r\n1\r\n'.repeat(400)
  const rest = body.subarray(0, MEGABYTE / 2)
  const length = parts.length + rest.length
  const head = `POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`
  const client = rawClient(origin, head + parts)
  await client.until('"code":413')
  client.socket.write(rest)
  client.socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n')
  await client.until('"code":404')
  t.same(statuses(client.received()), ['413', '404'])
})

void t.test('responds 503 after the time for a shutdown, whatever the size of the request', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  service.app.shutdown.isOver = true
  const file = fileOf(5 * MEGABYTE)
  const headers = { 'content-type': 'application/json' }
  for (const [name, send] of Object.entries(uploadClients())) {
    const url = `${service.origin}/api/v1/auth/login`
    t.same(await send([{ url, method: 'POST', headers, file, times: 1 }]), [['503 shutting_down']], name)
  }
  const { headers: closing } = await rawExchange(service.origin, GET)
  t.equal(closing['connection'], 'close')
})
