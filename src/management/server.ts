import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { withoutBrackets } from '../lib/networks.ts'
import { StartupError } from '../lib/startup-error.ts'

export type ManagementReply = Readonly<{ status?: number; type: string; text: string }>

/** The responses to GET requests by path. A route that is added later is served from then on. */
export type ManagementRoutes = Map<string, () => Promise<ManagementReply>>

/** Where to listen. Requests need an address or a private name as `Host`, or one of `names`. */
type ManagementListening = Readonly<{ host: string; port: number; names: readonly string[] }>

const REQUEST_MS_MAX = 10_000
const CONNECTIONS_MAX = 100

/**
 * Serves operators on a port of its own, without authentication. It starts before the service is ready and ends last, so
 * that the start and the end of the service can be observed.
 *
 * @throws StartupError if the port cannot be used
 */
export async function openManagementServer(
  { host, port, names }: ManagementListening,
  routes: ManagementRoutes,
): Promise<{ port: number; close(): Promise<void> }> {
  const isExpected = hostNameCheck([host, ...names])
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    const reply = isExpected(request.headers.host) ? findReply(request, routes) : UNEXPECTED_HOST
    respond(response, reply).catch(() => response.destroy())
  })
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toStartupError(cause, host, port)))
    server.listen(port, host, resolve)
  })
  server.on('error', () => undefined) // a connection that could not be accepted does not end the process
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

async function respond(response: ServerResponse, reply: ManagementReply | Promise<ManagementReply>): Promise<void> {
  const { status = 200, type, text } = await reply
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(text)
}

async function findReply({ method, url = '' }: IncomingMessage, routes: ManagementRoutes): Promise<ManagementReply> {
  const route = routes.get(url.split('?')[0] ?? '')
  if (!route) return plain(404, 'Not found')
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Method not allowed')
  return route().catch(() => plain(500, 'Failed'))
}

const UNEXPECTED_HOST = plain(421, 'Set MANAGEMENT_NAMES to accept this host name')

function plain(status: number, text: string): ManagementReply {
  return { status, type: 'text/plain; charset=utf-8', text: `${text}\n` }
}

function toStartupError(cause: NodeJS.ErrnoException, host: string, port: number): StartupError {
  const reason = cause.code === 'EADDRINUSE' ? 'it is in use by another process' : cause.message
  return new StartupError(`The management server cannot listen on ${host}:${port}: ${reason}. Check MANAGEMENT_PORT.`, {
    cause,
  })
}

/** Suffixes of names that cannot be registered in the public DNS (RFC 6761, RFC 6762, RFC 9476, and Kubernetes) */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.svc']

/**
 * Returns a check of the `Host` of a request. A web page can make its own name resolve to this server and then read what it
 * returns (DNS rebinding), so names of the public DNS are rejected unless they are configured.
 */
function hostNameCheck(configured: readonly string[]): (host: string | undefined) => boolean {
  const allowed = new Set(configured.map((name) => name.toLowerCase()))
  return (host) => {
    if (host === undefined) return true // HTTP/1.0, which no browser sends
    const name = withoutBrackets(host.toLowerCase().replace(/:\d*$/, ''))
    const isPrivate = !name.includes('.') || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix))
    return isPrivate || isIP(name) > 0 || allowed.has(name)
  }
}
