import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { App } from './app.ts'

const DRAIN_MS_MAX = 10_000
const LOOK_AGAIN_MS = 50

/**
 * Lets the requests that run come to their end, while new ones and the readiness check are told that the service is
 * leaving; then closes. What is not done after ten seconds is cut off.
 */
export async function drain({ server, leave, close }: App): Promise<void> {
  leave()
  const deadlineMs = Date.now() + DRAIN_MS_MAX
  while (Date.now() < deadlineMs && (await busyConnections(server.server)) > 0) await sleep(LOOK_AGAIN_MS)
  server.server.closeAllConnections()
  await close()
}

async function busyConnections(server: Server): Promise<number> {
  server.closeIdleConnections()
  return promisify(server.getConnections.bind(server))()
}
