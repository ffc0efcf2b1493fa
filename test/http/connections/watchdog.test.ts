// Connections that make no progress are closed, and those of slow clients are not.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { LARGE_BYTES, openEdgeServer, rawClient, repeat, SHORT_LIMITS } from '../../support/servers/edge-server.ts'

/** The tests mostly wait, so they run at the same time. */
t.jobs = 20
const AT_ONCE = { buffered: true }

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const POST = 'POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n'
const REJECTED_POST = POST.replace('/json', '/nothing')
const { headMs, slowMs, unreadMs, idleMs } = SHORT_LIMITS
/** Additional time that a busy machine may need */
const SLACK_MS = 5000

type Misbehaviour = { writes?: string; again?: string; everyMs?: number; reads?: boolean; withinMs: number }

const misbehaviours: Record<string, Misbehaviour> = {
  'never reads a large response': { writes: get('/large'), reads: false, withinMs: unreadMs },
  'never reads a stream': { writes: get('/stream'), reads: false, withinMs: unreadMs },
  'never reads responses to pipelined requests': { writes: get('/large').repeat(50), reads: false, withinMs: unreadMs },
  'never reads, and continues to send requests': {
    writes: get('/large'),
    again: get('/small'),
    reads: false,
    withinMs: unreadMs,
  },
  'sends nothing': { withinMs: headMs },
  'sends a head in trickles': { writes: 'GET / HTTP/1.1\r\nHost: x\r\n', again: 'X-A:1', withinMs: headMs },
  'sends a body in trickles': { writes: POST, again: '     ', withinMs: slowMs },
  'sends the rest of a rejected body in trickles': { writes: REJECTED_POST, again: '     ', withinMs: slowMs },
  'sends the rest of a rejected body in trickles, and never reads': {
    writes: REJECTED_POST,
    again: '     ',
    reads: false,
    withinMs: slowMs,
  },
  'sends only line ends': { again: '\r\n', withinMs: headMs },
  'sends only line ends after a response': { writes: get('/small'), again: '\r\n', withinMs: idleMs + headMs },
  'continuously sends bytes that are not HTTP': { writes: 'GARBAGE\r\n\r\n', again: 'xxxxx', withinMs: 1000 },
  'sends one request and stays connected': { writes: get('/small'), withinMs: idleMs + 1000 }, // Node adds a second
}

for (const [title, { writes = '', again, everyMs = 50, reads = true, withinMs }] of Object.entries(misbehaviours)) {
  void t.test(`closes the connection of a client that ${title}`, AT_ONCE, async (t) => {
    const edge = await openEdgeServer()
    const connection = once(edge.server.server, 'connection')
    const { socket } = rawClient(edge.origin, writes, { reads, keepsSending: true })
    await connection
    if (again !== undefined) repeat(socket, again, everyMs)

    const tookMs = await edge.untilConnections(0)
    t.ok(tookMs < withinMs + SLACK_MS, `${Math.round(tookMs)} ms`)
    if (!writes.includes('/stream')) return
    await edge.untilDestroyed()
    t.same(edge.destroyed, ['/stream'], 'the source of the response is destroyed')
  })
}

void t.test('closes the connection of a client that reads too slowly', AT_ONCE, async (t) => {
  const edge = await openEdgeServer({ connectionLimits: { ...SHORT_LIMITS, bytesPerSecondMin: LARGE_BYTES } })
  const { socket } = rawClient(edge.origin, get('/large'), { reads: false })
  await once(edge.server.server, 'connection')
  const timer = setInterval(() => void socket.read(256 * 1024), 50)
  const tookMs = await edge.untilConnections(0)
  clearInterval(timer)
  t.ok(tookMs < 2 * unreadMs + SLACK_MS, `${Math.round(tookMs)} ms`)
})

void t.test('lets a client that reads slowly, but fast enough, read everything', AT_ONCE, async (t) => {
  const edge = await openEdgeServer()
  const { socket } = rawClient(edge.origin, get('/large'), { reads: false })
  let bytes = 0
  const startMs = performance.now()
  while (bytes < LARGE_BYTES && !socket.destroyed) {
    bytes += (socket.read() as Buffer | null)?.length ?? 0
    const dueMs = (bytes / LARGE_BYTES) * 3 * unreadMs
    await sleep(Math.max(5, dueMs - (performance.now() - startMs)))
  }
  t.ok(bytes >= LARGE_BYTES, `${bytes} bytes`)
})

void t.test('receives a request that arrives slowly, but fast enough', AT_ONCE, async (t) => {
  const [chunk, chunks] = ['x'.repeat(100), 50]
  const edge = await openEdgeServer({ connectionLimits: { ...SHORT_LIMITS, bytesPerSecondMin: 100 } })
  const head = POST.replace('60000', String(chunk.length * chunks + 2))
  const client = rawClient(edge.origin, `${head}"`)
  const startMs = performance.now()
  for (let sent = 0; sent < chunks; sent++) {
    client.socket.write(chunk)
    await sleep(100)
  }
  client.socket.write('"')
  await client.until(' 200 ')
  t.ok(performance.now() - startMs > 2 * slowMs)
  t.match(client.received(), /^HTTP\/1\.1 200 /)
})

void t.test('responds once when a request times out after its response', AT_ONCE, async (t) => {
  const edge = await openEdgeServer()
  const client = rawClient(edge.origin, REJECTED_POST)
  repeat(client.socket, '     ', 50)
  await client.closed
  t.equal(client.received().match(/HTTP\/1\.1/g)?.length, 1)
  t.match(client.received(), /^HTTP\/1\.1 404 /)
})
