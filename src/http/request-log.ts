import { LogController, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import type { Logger } from 'pino'

/** Logs a line for each request at the level `debug`. At other levels Fastify gets no logger, which saves time. */
export function requestLog(log: Logger): Pick<FastifyServerOptions, 'logger' | 'loggerInstance' | 'logController'> {
  if (!log.isLevelEnabled('debug')) return { logger: false }
  const silentBelowDebug = log.child({}, { level: 'debug' }) // at `trace`, plugins write whole headers
  return { loggerInstance: silentBelowDebug, logController: new RequestLog() }
}

class RequestLog extends LogController {
  override incomingRequest(): void {
    // one line at the end is enough
  }

  /** Logs the path without its query, and neither headers nor bodies. */
  override requestCompleted(_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const [path] = request.url.split('?')
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.debug({ method: request.method, path, status: reply.statusCode, ms }, 'request')
  }
}
