import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toBytes, type Bound, type RawResponses } from './raw-response.ts'
import type { StagedClose } from './staged-close.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyInstance {
    drain: Drain
  }
}

/** The steps that end all connections of a server without a lost request. */
type Drain = {
  /** Stops listening. Open connections are still served, and close after their next response. */
  begin(): Promise<void>
  /** Closes connections that have no request. */
  closeIdle(): void
  /** Responds 503 `shutting_down` to requests that are running or arriving, and closes all connections. */
  rejectRest(): void
}

const LINGER_MS = 500
/** How long waiting connections are accepted before the end of the listener */
const ACCEPT_MS_MAX = 1000

export function newDrain(server: Server, tools: { rawResponses: RawResponses; closing: StagedClose }): Drain {
  const { rawResponses, closing } = tools
  /** Each connection with the response to its last request */
  const connections = new Map<Socket, ServerResponse | undefined>()
  let isDraining = false
  let accepted = 0

  server.on('connection', (socket: Socket) => {
    accepted++
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.set(socket, response)
    if (isDraining) response.shouldKeepAlive = false // sends `Connection: close`
  })
  const reject = (socket: Bound): void => {
    const { _httpMessage: response } = socket
    if (response?.headersSent || closing.isClosing(socket)) return
    closing.close(socket, { bytes: toBytes(rawResponses('shutting_down', response?.req)), forMs: LINGER_MS })
  }
  /** Connections that wait when the listener closes are reset. Node accepts one in each turn of its loop. */
  const acceptWaiting = async (): Promise<void> => {
    const deadlineMs = performance.now() + ACCEPT_MS_MAX
    await nextTurn() // from here on, each turn looks for connections once
    let before
    do {
      before = accepted
      await nextTurn()
    } while (accepted > before && performance.now() < deadlineMs)
  }
  const closeIdle = (): void => {
    server.closeIdleConnections()
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
  }
  return {
    async begin() {
      isDraining = true
      for (const response of connections.values()) if (response) response.shouldKeepAlive = false
      await acceptWaiting()
      // The method of the HTTP server would also close connections on which a request may be arriving.
      if (server.listening) NetServer.prototype.close.call(server)
    },
    closeIdle,
    rejectRest() {
      closeIdle()
      for (const socket of [...connections.keys()]) if (!socket.destroyed) reject(socket)
    },
  }
}

/** Node's name for whether a response has emitted `close` */
type Inner = ServerResponse & { _closed: boolean }

/**
 * Closes responses to pipelined requests with their connection. Node emits `close` only for the response that the connection
 * is sending, and never for those that wait behind it, whose files, streams and counts would remain.
 */
export function closeQueuedResponses(server: Server): void {
  const queues = new WeakMap<Socket, Set<ServerResponse>>()
  const queueOf = (socket: Socket): Set<ServerResponse> => {
    const known = queues.get(socket)
    if (known) return known
    const queue = new Set<ServerResponse>()
    queues.set(socket, queue)
    socket.once('close', () => queue.forEach(close))
    return queue
  }
  const watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (response.socket) return // it waits for no other response
    const queue = queueOf(socket).add(response)
    response.once('close', () => queue.delete(response))
  }
  server.prependListener('request', watch)
  server.prependListener('checkExpectation', watch)
}

function close(response: ServerResponse): void {
  if (response.closed) return
  Object.assign(response as Inner, { destroyed: true, _closed: true })
  response.emit('close')
}
