import type { IncomingMessage, Server } from 'node:http'
import { limitConnections, type Admission } from './admission.ts'
import { closeQueuedResponses } from './drain.ts'
import { watchConnections } from './watchdog.ts'

/** Bounds how many connections there are, how long each lives, and how it ends. */
export function guardConnections(server: Server, guards: Admission): void {
  const { limits, trustedProxies, closing, log } = guards
  server.headersTimeout = limits.headMs
  server.maxHeadersCount = 0 // all are read, and too many rejected: Node would drop the rest in silence
  closing.apply(server)
  closeQueuedResponses(server)
  limitConnections(server, guards)
  watchConnections(server, limits)
  if (trustedProxies.length === 0) warnOfUntrustedProxy(server, log)
  server.once('listening', () => {
    // Without a listener, a connection that cannot be accepted would end the process.
    server.on('error', (error) => log.warn({ err: error }, 'connection not accepted'))
  })
}

const WARNING =
  'requests carry X-Forwarded-For, but TRUST_PROXY is not set: if a proxy sends them, all its clients share the rate limits of its address'

/** Warns once if there seems to be a proxy that is not trusted. */
function warnOfUntrustedProxy(server: Server, log: Admission['log']): void {
  const warn = ({ headers, socket }: IncomingMessage): void => {
    if (headers['x-forwarded-for'] === undefined) return
    server.off('request', warn)
    log.warn({ address: socket.remoteAddress }, WARNING)
  }
  server.on('request', warn)
}
