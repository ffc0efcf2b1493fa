import type { Server } from 'node:http'
import type { Log } from '../../lib/log.ts'
import { limitConnections } from './admission.ts'
import type { ConnectionLimits } from './limits.ts'
import { closeQueuedResponses } from './drain.ts'
import type { RawResponses } from './raw-response.ts'
import type { StagedClose } from './staged-close.ts'
import { watchConnections } from './watchdog.ts'

type Guards = {
  limits: ConnectionLimits
  trustedProxies: readonly string[]
  rawResponses: RawResponses
  closing: StagedClose
  log: Pick<Log, 'warn'>
}

/** Bounds how many connections there are, how long each lives, and how it ends. */
export function guardConnections(server: Server, guards: Guards): void {
  const { limits, closing } = guards
  server.headersTimeout = limits.headMs
  server.maxHeadersCount = 0 // all are read, and too many rejected: Node would drop the rest in silence
  closing.apply(server)
  closeQueuedResponses(server)
  limitConnections(server, guards)
  watchConnections(server, limits)
  server.once('listening', () => {
    // Without a listener, a connection that cannot be accepted would end the process.
    server.on('error', (error) => guards.log.warn({ err: error }, 'connection not accepted'))
  })
}
