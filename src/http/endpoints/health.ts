import type { FastifyInstance } from 'fastify'
import { Failure } from '../../domain/failure.ts'
import { say } from '../../messages/index.ts'
import type { ShutdownState } from '../request/request-context.ts'

/** Serves liveness, and readiness: the database responds, and the service is not shutting down. */
export function serveHealth(server: FastifyInstance, ping: () => Promise<void>, shutdown: ShutdownState): void {
  const pingOnce = shareCalls(ping)
  server.get('/health/live', ({ language }) => envelope(say(language, 'service_live')))
  server.get('/health/ready', async ({ language }) => {
    if (shutdown.isShuttingDown) throw new Failure('shutting_down', { retryAfterSeconds: 1 })
    await pingOnce()
    return envelope(say(language, 'service_ready'))
  })
}

function envelope(message: string): object {
  return { status: true, code: 200, message, data: null }
}

/** Lets parallel calls share one run. */
function shareCalls(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().finally(() => (running = undefined))
    return running
  }
}
