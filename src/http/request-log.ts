import { LogController, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import type { Logger } from 'pino'

/** At the level `debug`, a line for each request. At others Fastify gets no log, which costs every request less. */
export function requestLog(log: Logger): Pick<FastifyServerOptions, 'logger' | 'loggerInstance' | 'logController'> {
  if (!log.isLevelEnabled('debug')) return { logger: false }
  const silentBelowDebug = log.child({}, { level: 'debug' }) // at `trace`, plugins write whole headers
  return { loggerInstance: silentBelowDebug, logController: new RequestLog() }
}

class RequestLog extends LogController {
  override incomingRequest(): void {
    // one line, when it is done, is enough
  }

  /** The path without its query, and nothing of headers and bodies. */
  override requestCompleted(_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const [path] = request.url.split('?')
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.debug({ method: request.method, path, status: reply.statusCode, ms }, 'request')
  }
}
