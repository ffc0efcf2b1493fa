import type { IncomingMessage, Server } from 'node:http'
import type { Logger } from 'pino'

const WARNING =
  'requests carry X-Forwarded-For, but TRUST_PROXY is not set: if a proxy sends them, all its clients share the rate limits of its address'

/** Warns once if there seems to be a proxy that is not trusted. */
export function warnOfUntrustedProxy(server: Server, log: Logger): void {
  const warn = ({ headers, socket }: IncomingMessage): void => {
    if (headers['x-forwarded-for'] === undefined) return
    server.off('request', warn)
    log.warn({ address: socket.remoteAddress }, WARNING)
  }
  server.on('request', warn)
}
