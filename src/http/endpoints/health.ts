import type { FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { say } from '../../messages/index.ts'
import type { ShutdownState } from '../request/request-context.ts'

/** Probes wait at least a second by default, and two if they are configured for this service. */
const READY_MS_MAX = 1800
const RETRY_AFTER_SECONDS = 2

/**
 * Serves three probes without details: whether the process runs, whether the start is complete, and whether it can serve
 * requests: the database can be written and has all migrations, and the service is not shutting down.
 */
export function serveHealth(
  server: FastifyInstance,
  checkDatabase: () => Promise<void>,
  shutdown: ShutdownState,
): void {
  let checking: Promise<void> | undefined
  // `started`: the service listens only after its start, with migrations, lookups and keys.
  for (const path of ['/health/live', '/health/started'])
    server.get(path, ({ language }) => envelope(say(language, 'service_live')))
  server.get('/health/ready', async ({ language }) => {
    if (shutdown.isShuttingDown) throw new Failure('shutting_down', { retryAfterSeconds: 1 })
    checking ??= withinTime(checkDatabase).finally(() => (checking = undefined)) // parallel requests share one check
    await checking
    return envelope(say(language, 'service_ready'))
  })
}

function envelope(message: string): object {
  return { status: true, code: 200, message, data: null }
}

/** Fails after a while, because probes that get no response end the process in some environments. */
async function withinTime(check: () => Promise<void>): Promise<void> {
  const timer = new AbortController()
  const timeout = sleep(READY_MS_MAX, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Failure('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  })
  timeout.catch(() => undefined) // aborted, or reported by the race
  await Promise.race([check(), timeout]).finally(() => timer.abort())
}
