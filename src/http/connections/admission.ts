import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../lib/log.ts'
import { networkMatcher, parseAddress } from '../request/client-address.ts'
import type { ConnectionLimits } from './limits.ts'
import { toBytes, type RawResponses } from './raw-response.ts'
import type { StagedClose } from './staged-close.ts'

/** What decides which connections are accepted */
export type Admission = {
  limits: ConnectionLimits
  trustedProxies: readonly string[]
  rawResponses: RawResponses
  closing: StagedClose
  log: Pick<Log, 'warn'>
}

/** The number of rejected connections that get a response at the same time; others are destroyed */
const REJECTING_MAX = 100
const REJECT_MS = 1000
const LOG_MS = 1000

/**
 * Limits the connections of each network, an IPv4 address or an IPv6 /64, so that one client cannot use all of them.
 * Trusted proxies have many clients and are exempt.
 */
export function limitConnections(
  server: Server,
  { limits, trustedProxies, rawResponses, closing, log }: Admission,
): void {
  const isTrusted = networkMatcher(trustedProxies)
  const open = new Map<string, number>()
  const report = reporter(log)
  let rejecting = 0

  const reject = (socket: Socket): void => {
    if (rejecting >= REJECTING_MAX) return void socket.destroy()
    rejecting++
    socket.once('close', () => rejecting--)
    closing.close(socket, { bytes: toBytes(rawResponses('overloaded')), forMs: REJECT_MS })
  }
  server.maxConnections = limits.max
  server.on('drop', () => report('all'))
  server.on('connection', (socket: Socket) => {
    const { address, network } = parseAddress(socket.remoteAddress) ?? {}
    if (address === undefined || network === undefined || isTrusted(address)) return // it has disconnected, or is exempt
    const count = open.get(network) ?? 0
    if (count >= limits.perNetwork) {
      report(network)
      reject(socket)
      return
    }
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

/** Logs rejections at most once a second, with their number. */
function reporter(log: Pick<Log, 'warn'>): (network: string) => void {
  let rejected = 0
  return (network) => {
    rejected++
    if (rejected > 1) return
    setTimeout(() => {
      log.warn(
        { rejected, network },
        'connections rejected: too many from one network (if it is your proxy, add it to TRUST_PROXY)',
      )
      rejected = 0
    }, LOG_MS).unref()
  }
}
