import type { FastifyInstance } from 'fastify'
import { Failure } from '../domain/failure.ts'
import { say } from '../messages/index.ts'
import type { Departure } from './arrival.ts'

/** Whether the process runs, and whether it takes requests: the database answers and the service is not leaving. */
export function serveHealth(server: FastifyInstance, ping: () => Promise<void>, departure: Departure): void {
  const pingOnce = shared(ping)
  server.get('/health/live', ({ language }) => envelope(say(language, 'service_live')))
  server.get('/health/ready', async ({ language }) => {
    if (departure.isLeaving) throw new Failure('shutting_down', { retryAfterSeconds: 1 })
    await pingOnce()
    return envelope(say(language, 'service_ready'))
  })
}

function envelope(message: string): object {
  return { status: true, code: 200, message, data: null }
}

/** However many ask at once, the database is asked once. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().finally(() => (running = undefined))
    return running
  }
}
