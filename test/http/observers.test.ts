// What observes requests never fails them, and does not miss their end.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { writtenAccessLines } from '../../src/http/observation/access-line.ts'
import { NO_METRICS, type Metrics } from '../../src/lib/metrics.ts'
import type { Tracer } from '../../src/lib/tracing.ts'
import { openEdgeServer, rawClient } from '../support/servers/edge-server.ts'

const PIPELINED = 4
const OUTCOME = { method: 'GET', url: '/small', status: 200, operationId: undefined, errorCode: undefined }

function fail(): never {
  throw new Error('an observer has failed')
}

/** Metrics that count failures of observers by their name, and otherwise fail */
function failingMetrics(failures: Record<string, number>): Metrics {
  return {
    watch: () => undefined,
    duration: () => fail,
    count(name, labels) {
      const { observer } = labels as { observer?: string }
      if (name !== 'tawthiq_observation_failures_total' || observer === undefined) fail()
      failures[observer] = (failures[observer] ?? 0) + 1
    },
  }
}

void t.test('serves requests although all observers fail', async (t) => {
  const failures: Record<string, number> = {}
  const span = { run: (work: () => void) => work(), end: fail }
  const tracer = { startRequest: () => span } as unknown as Tracer
  const observers = { metrics: failingMetrics(failures), tracer }
  const { origin, log } = await openEdgeServer({ observers, accessLines: fail })
  const rounds = 3
  for (let round = 0; round < rounds; round++) t.equal((await fetch(`${origin}/small`)).status, 200)
  const malformed = rawClient(origin, 'not HTTP\r\n\r\n')
  await malformed.until('HTTP/1.1 400')

  const expected = { metrics: rounds + 1, access_line: rounds, trace: rounds }
  while (failures['trace'] !== rounds) await sleep(10)
  t.same(failures, expected)
  const logged = log.map((line) => JSON.parse(line) as { observer?: string }).filter(({ observer }) => observer)
  t.same(logged.map(({ observer }) => observer).sort(), Object.keys(expected).sort(), 'each is logged once')
})

void t.test('remembers what observes an outcome of an operation, once it could be created', async (t) => {
  let created = 0
  const observed: number[] = []
  const duration = (): ((seconds: number) => void) => {
    created++
    return created === 1 ? fail() : (seconds) => void observed.push(seconds)
  }
  let ended = 0
  const observers = { metrics: { ...NO_METRICS, duration }, tracer: undefined }
  const { origin } = await openEdgeServer({ observers, accessLines: () => () => ended++ }, (server) => {
    server.get('/operation', { config: { operationId: 'getJwks' } }, async () => 'keys')
  })
  for (let round = 0; round < 4; round++) t.equal((await fetch(`${origin}/operation`)).status, 200)
  while (ended < 4) await sleep(5)
  t.equal(observed.length, 3)
  t.equal(created, 2)
})

void t.test('serves requests although their spans cannot start', async (t) => {
  const tracer = { startRequest: fail } as unknown as Tracer
  const { origin } = await openEdgeServer({ observers: { metrics: undefined, tracer } })
  t.equal((await fetch(`${origin}/small`)).status, 200)
})

void t.test('responds although the log of failures fails', async (t) => {
  const log = { debug: fail, info: fail, warn: fail, error: fail }
  const { origin } = await openEdgeServer({ log: log as never })
  t.equal((await fetch(`${origin}/no/such/path`)).status, 404)
})

void t.test('counts pipelined requests until their connection is cut', async (t) => {
  let active = (): number | undefined => undefined
  const metrics: Metrics = {
    ...NO_METRICS,
    watch(name, read) {
      if (name !== 'http_server_active_requests') return
      active = () => (read() as readonly { value: number }[])[0]?.value
    },
  }
  const { origin } = await openEdgeServer({ observers: { metrics, tracer: undefined } })
  const { socket } = rawClient(origin, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED))
  while (active() !== PIPELINED) await sleep(5)
  socket.resetAndDestroy()
  while (active() !== 0) await sleep(5)
  t.equal(active(), 0)
})

void t.test('ends the streams of pipelined responses when their connection is cut', async (t) => {
  const { origin, served, destroyed, untilDestroyed } = await openEdgeServer({}, (server) => {
    server.get('/never', () => new Promise(() => undefined))
  })
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const { socket } = rawClient(origin, get('/never') + get('/stream'))
  while (!served.includes('/stream')) await sleep(5)
  socket.resetAndDestroy()
  await untilDestroyed()
  t.same(destroyed, ['/stream'])
})

void t.test('observes requests whose clients reset their connection before it is accepted', async (t) => {
  const lines: (string | undefined)[] = []
  const { server, origin } = await openEdgeServer({ accessLines: () => (line) => lines.push(line.clientAddress) })
  const write = writtenAccessLines(() => undefined, { showsClientAddress: false })(OUTCOME)
  while (!lines.includes(undefined)) {
    // The service accepts one connection in each turn of its loop; the others are reset meanwhile.
    const clients = Array.from({ length: 20 }, () => rawClient(origin, ''))
    for (const { socket } of clients) {
      socket.once('connect', () => {
        socket.write('GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
        socket.resetAndDestroy()
      })
    }
    await Promise.all(clients.map(({ closed }) => closed))
    await sleep(10)
  }
  t.ok(server.server.listening)
  t.doesNotThrow(() => write({ durationMs: 1, requestId: 'id', clientAddress: undefined, aborted: true }))
})
