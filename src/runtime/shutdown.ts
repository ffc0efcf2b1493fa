import type { Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Config } from '../config/index.ts'

/** The parts of the running service that a shutdown needs */
type RunningService = Readonly<{
  server: { server: Server; drain: { begin(): Promise<void>; closeIdle(): void; rejectRest(): void } }
  shutdown: { isShuttingDown: boolean; isOver: boolean }
  /** Starts no new background work. */
  stopWork(): void
  close(): Promise<void>
}>

const POLL_MS = 50
/** How long an idle connection stays open after the listener: its client may just be sending a request. */
const IDLE_MS_MAX = 1000
/** How long the last responses may take to reach their clients */
const FLUSH_MS_MAX = 500

/**
 * Reports the service as not ready, serves requests until load balancers know it, stops listening, waits for running
 * requests, and closes the service. Requests that run longer than the timeout get 503.
 */
export async function shutDown(service: RunningService, { delayMs, timeoutMs }: Config['shutdown']): Promise<void> {
  const { server, shutdown } = service
  shutdown.isShuttingDown = true
  await sleep(delayMs)
  await server.drain.begin()
  service.stopWork()
  const idleMs = Math.min(IDLE_MS_MAX, timeoutMs)
  await untilNoConnections(server.server, idleMs)
  await untilNoConnections(server.server, timeoutMs - idleMs, () => server.drain.closeIdle())
  shutdown.isOver = true
  server.drain.rejectRest()
  await untilNoConnections(server.server, FLUSH_MS_MAX)
  server.server.closeAllConnections()
  await service.close()
}

/** Waits until all connections are closed, but no longer than `ms`. Calls `before` before each look. */
async function untilNoConnections(server: Server, ms: number, before?: () => void): Promise<void> {
  const deadlineMs = performance.now() + ms
  const count = promisify(server.getConnections.bind(server))
  while (performance.now() < deadlineMs) {
    await nextTurn() // what has arrived meanwhile is read first
    before?.()
    if ((await count()) === 0) return
    await sleep(POLL_MS)
  }
}

/** Functions that release resources, each of which runs once. */
export type Disposers = { add(close: () => unknown): void; close(): Promise<void> }

/** Creates a list of disposers that run in the reverse order. */
export function createDisposers(): Disposers {
  const pending: (() => unknown)[] = []
  return {
    add: (close) => pending.unshift(close),
    async close() {
      for (const close of pending.splice(0)) await close()
    },
  }
}
