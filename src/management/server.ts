import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartupError } from '../lib/startup-error.ts'

/** A response of the management server */
export type ManagementReply = Readonly<{ status?: number; type: string; text: string }>

/** The responses to GET requests by path. A route that is added later is served from then on. */
export type ManagementRoutes = Map<string, () => Promise<ManagementReply>>

export type ManagementServer = {
  port: number
  close(): Promise<void>
}

const REQUEST_MS_MAX = 10_000
const CONNECTIONS_MAX = 100

/**
 * Serves operators on a port of its own, without authentication. It starts before the service is ready and ends last, so
 * that the start and the end of the service can be observed.
 *
 * @throws StartupError if the port cannot be used
 */
export async function openManagementServer(
  { host, port }: Readonly<{ host: string; port: number }>,
  routes: ManagementRoutes,
): Promise<ManagementServer> {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    void respond(request, response, routes)
  })
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toStartupError(cause, host, port)))
    server.listen(port, host, resolve)
  })
  server.unref() // the service decides how long the process lives
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  routes: ManagementRoutes,
): Promise<void> {
  const { status = 200, type, text } = await findReply(method, url, routes)
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(text)
}

async function findReply(method: string | undefined, url: string, routes: ManagementRoutes): Promise<ManagementReply> {
  const route = routes.get(url.split('?')[0] ?? '')
  if (!route) return plain(404, 'Not found')
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Method not allowed')
  return route().catch(() => plain(500, 'Failed'))
}

function plain(status: number, text: string): ManagementReply {
  return { status, type: 'text/plain; charset=utf-8', text: `${text}\n` }
}

function toStartupError(cause: NodeJS.ErrnoException, host: string, port: number): StartupError {
  const reason = cause.code === 'EADDRINUSE' ? 'it is in use by another process' : cause.message
  return new StartupError(`The management server cannot listen on ${host}:${port}: ${reason}. Check MANAGEMENT_PORT.`, {
    cause,
  })
}
