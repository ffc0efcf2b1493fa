import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The parts of the running service that a shutdown needs */
type RunningService = Readonly<{ server: { server: Server }; beginShutdown(): void; close(): Promise<void> }>

const DEADLINE_MS = 10_000
const POLL_MS = 50

/**
 * Rejects new requests, reports the service as not ready, waits for running requests, and closes the service. Requests
 * that take longer than ten seconds are cut off.
 */
export async function shutDown({ server, beginShutdown: leave, close }: RunningService): Promise<void> {
  leave()
  const deadlineMs = Date.now() + DEADLINE_MS
  while (Date.now() < deadlineMs && (await countBusyConnections(server.server)) > 0) await sleep(POLL_MS)
  server.server.closeAllConnections()
  await close()
}

async function countBusyConnections(server: Server): Promise<number> {
  server.closeIdleConnections()
  return promisify(server.getConnections.bind(server))()
}
