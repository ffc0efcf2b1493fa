// A server with test routes and short connection limits, and raw clients that misbehave.
import type { FastifyInstance } from 'fastify'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { CONNECTION_LIMITS } from '../../../src/http/connections/limits.ts'
import { createServer, type ServerOptions } from '../../../src/http/server.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { temporaryFolder } from '../processes/process.ts'

export const SHORT_LIMITS = {
  ...CONNECTION_LIMITS,
  headMs: 600,
  requestMs: 60_000,
  slowMs: 1500,
  idleMs: 1200,
  unreadMs: 1500,
  checkMs: 100,
  lingerMs: 1000,
  lingerQuietMs: 300,
}
export const MEGABYTE = 1024 * 1024
/** More than the buffers of a connection can store */
export const LARGE_BYTES = 64 * MEGABYTE

export type EdgeServer = {
  origin: string
  server: FastifyInstance
  /** The URLs that were served, in order */
  served: string[]
  /** Streams of responses that were destroyed */
  destroyed: string[]
  log: string[]
  /** Returns the number of open connections. */
  connections(): Promise<number>
  /** Waits for a number of open connections. Returns the time that it took, in milliseconds. */
  untilConnections(count: number): Promise<number>
  /** Waits until the stream of a response is destroyed, which can happen after its connection closes. */
  untilDestroyed(): Promise<void>
}

export async function openEdgeServer(
  options: Partial<ServerOptions> = {},
  addRoutes: (server: FastifyInstance) => void = () => undefined,
): Promise<EdgeServer> {
  const log: string[] = []
  const server = createServer({
    log: jsonLog('info', { write: (line) => log.push(line) }),
    defaultLanguage: 'en',
    isProduction: false,
    corsOrigins: [],
    allowsLocalOrigins: false,
    trustedProxies: [],
    shutdown: { isShuttingDown: false, isOver: false },
    uploadsDirectory: temporaryFolder(),
    connectionLimits: SHORT_LIMITS,
    ...options,
  })
  const served: string[] = []
  const destroyed: string[] = []
  server.addHook('preHandler', (request, _reply, done) => {
    served.push(request.url)
    done()
  })
  const large = Buffer.alloc(LARGE_BYTES)
  server.get('/large', (_request, reply) => reply.type('application/octet-stream').send(large))
  server.get('/stream', (_request, reply) => {
    const stream = Readable.from(chunks(), { objectMode: false })
    stream.on('close', () => destroyed.push('/stream'))
    return reply.type('application/octet-stream').send(stream)
  })
  server.get('/small', async () => ({ small: true }))
  server.get('/slow', async () => {
    await sleep(300)
    return { slow: true }
  })
  server.post('/json', async () => ({ taken: true }))
  addRoutes(server)
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => {
    server.server.closeAllConnections()
    return server.close()
  })
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
  return {
    origin,
    server,
    served,
    destroyed,
    log,
    connections,
    async untilConnections(count) {
      const startMs = performance.now()
      while ((await connections()) !== count) await sleep(20)
      return performance.now() - startMs
    },
    async untilDestroyed() {
      while (destroyed.length === 0) await sleep(20)
    },
  }
}

async function* chunks(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.alloc(64 * 1024)
    await sleep(0)
  }
}

export type RawClient = {
  socket: Socket
  received(): string
  /** Resolves when the connection is closed */
  closed: Promise<void>
  /** Resolves when the received text contains a part */
  until(part: string): Promise<void>
}

type ClientOptions = {
  localAddress?: string
  reads?: boolean
  /** Whether the client continues to send after the server has closed its side */
  keepsSending?: boolean
}

/** Connects and writes a text, if any. */
export function rawClient(
  origin: string,
  text: string,
  { localAddress, reads = true, keepsSending = false }: ClientOptions = {},
): RawClient {
  const { hostname: host, port } = new URL(origin)
  const socket = connect({
    host,
    port: Number(port),
    allowHalfOpen: keepsSending,
    ...(localAddress !== undefined && { localAddress }),
  })
  let received = ''
  socket.on('error', () => undefined)
  if (reads) socket.on('data', (bytes) => (received += bytes.toString('latin1')))
  else socket.pause()
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  if (text) socket.write(text)
  t.teardown(() => socket.destroy())
  return {
    socket,
    received: () => received,
    closed,
    async until(part) {
      while (!received.includes(part)) await sleep(10)
    },
  }
}

/** Writes a text repeatedly until the connection is closed. */
export function repeat(socket: Socket, text: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => (socket.writable ? socket.write(text) : clearInterval(timer)), everyMs)
  socket.on('close', () => clearInterval(timer))
}
