import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { networkMatcher } from '../connections/networks.ts'
import { parseAddress } from '../request/client-address.ts'

/** The format that the document declares for `X-Request-Id` */
const WELL_FORMED = /^[\w-]{1,36}$/

export type Trusts = (request: IncomingMessage) => boolean

/** Returns a function that returns whether a request comes from a trusted proxy. */
export function proxyTrust(trustedProxies: readonly string[]): Trusts {
  if (trustedProxies.length === 0) return () => false
  const isTrusted = networkMatcher(trustedProxies)
  return ({ socket }) => {
    const parsed = parseAddress(socket.remoteAddress)
    return parsed !== undefined && isTrusted(parsed.address)
  }
}

/** Returns a function that chooses the id of a request: that of a trusted proxy if it is well-formed, or a new one. */
export function requestIds(trusts: Trusts): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers['x-request-id']
    return typeof given === 'string' && WELL_FORMED.test(given) && trusts(request) ? given : randomUUID()
  }
}
