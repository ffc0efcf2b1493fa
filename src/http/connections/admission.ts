import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../log.ts'
import { addressOf } from '../client.ts'
import type { ConnectionLimits } from './limits.ts'
import { networkMatcher } from './networks.ts'
import { bytesOf, type RawAnswers } from './raw-answer.ts'
import type { StagedClose } from './staged-close.ts'

type Needed = {
  limits: Pick<ConnectionLimits, 'perNetwork' | 'max'>
  trustedProxies: readonly string[]
  answers: RawAnswers
  closing: StagedClose
  log: Pick<Log, 'warn'>
}

/** How many rejected connections may be told why at the same time; the others are destroyed at once */
const TOLD_MAX = 100
const TELL_MS = 1000
const LOG_MS = 1000

/**
 * Limits the connections of each network, an IPv4 address or an IPv6 /64, so that one client cannot take all that there
 * are. Proxies that are trusted speak for many clients and are exempt.
 */
export function limitConnections(server: Server, { limits, trustedProxies, answers, closing, log }: Needed): void {
  const isTrusted = networkMatcher(trustedProxies)
  const open = new Map<string, number>()
  const report = reporter(log)
  let told = 0

  const reject = (socket: Socket): void => {
    if (told >= TOLD_MAX) return void socket.destroy()
    told++
    socket.once('close', () => told--)
    closing.close(socket, { bytes: bytesOf(answers('overloaded')), forMs: TELL_MS })
  }
  server.maxConnections = limits.max
  server.on('drop', () => report('all'))
  server.on('connection', (socket: Socket) => {
    const { address, network } = addressOf(socket.remoteAddress) ?? {}
    if (address === undefined || network === undefined || isTrusted(address)) return // it has left, or is exempt
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
        'connections were rejected: the network has too many (list it in TRUST_PROXY if it is your proxy)',
      )
      rejected = 0
    }, LOG_MS).unref()
  }
}
