import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { toBytes, type RawResponses } from './raw-response.ts'
import type { StagedClose } from './staged-close.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyInstance {
    drain: Drain
  }
}

/** The steps that end all connections of a server without a lost request. */
export type Drain = {
  /** Stops listening. Open connections are still served, and close after their next response. */
  begin(): void
  /** Closes connections that have no request. */
  closeIdle(): void
  /** Responds 503 `shutting_down` to the requests that have no response yet, and closes their connections. */
  rejectRest(): void
}

const LINGER_MS = 500

/** Node's name for the response that a socket is bound to */
type Bound = Socket & { _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null }

export function drainOf(server: Server, tools: { rawResponses: RawResponses; closing: StagedClose }): Drain {
  const { rawResponses, closing } = tools
  /** Each connection with the response to its last request */
  const connections = new Map<Socket, ServerResponse | undefined>()
  let isDraining = false

  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.set(socket, response)
    if (isDraining) response.shouldKeepAlive = false // sends `Connection: close`
  })
  const reject = (socket: Bound): void => {
    const { _httpMessage: response } = socket
    if (!response || response.headersSent || closing.isClosing(socket)) return
    closing.close(socket, { bytes: toBytes(rawResponses('shutting_down', response.req)), forMs: LINGER_MS })
  }
  return {
    begin() {
      isDraining = true
      // The method of the HTTP server would also close connections on which a request may be arriving.
      if (server.listening) NetServer.prototype.close.call(server)
      for (const response of connections.values()) if (response) response.shouldKeepAlive = false
    },
    closeIdle() {
      server.closeIdleConnections()
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
    rejectRest: () => [...connections.keys()].forEach(reject),
  }
}
