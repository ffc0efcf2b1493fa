import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS } from '../../../generated/errors.ts'
import { bindings } from '../../../generated/operations.ts'
import { Failure, type ErrorCode } from '../../domain/failure.ts'
import type { Log } from '../../lib/log.ts'
import type { Guard } from '../observation/guard.ts'
import { buildErrorResponse, type Envelope } from './envelope.ts'
import { URL_HINTS } from '../request/query-parameters.ts'
import { setRateLimitHeaders } from '../request/rate-limiter.ts'
import { allFieldErrors } from '../../contract/validation/index.ts'

/** Error codes for errors of Fastify and its plugins, by their status */
const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'route_unknown',
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'media_type_unsupported',
  431: 'headers_too_large',
  503: 'overloaded',
}

/** With more unread bytes than this, a new connection is cheaper than reading the rest of the body. */
const UNREAD_BYTES_MAX = 1024 * 1024

type SendFailure = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * Sends everything that is thrown in the envelope, and returns the function that does so. It never throws: Fastify would
 * respond with a body of its own, which has the message of the error.
 */
export function handleFailures(server: FastifyInstance, log: Log, guard: Guard): SendFailure {
  const logFailure = guard('fault_log', failureLog(log, repeatedFaults(log)))
  const sendFailure: SendFailure = (thrown, request, reply) => {
    try {
      const failure = toDeclared(toFailure(thrown, request), request)
      logFailure(failure, request)
      return send(failure, request, reply, serialize)
    } catch (error) {
      const failure = new Failure('unexpected', { cause: error })
      logFailure(failure, request)
      return send(failure, request, reply, (_reply, body) => JSON.stringify(body))
    }
  }
  server.setNotFoundHandler(() => {
    throw new Failure('route_unknown')
  })
  server.setErrorHandler(sendFailure)
  return sendFailure
}

type Serialize = (reply: FastifyReply, body: Envelope) => string

/** Serializes before it changes the reply, so that another failure can be sent if this one cannot. */
function send(failure: Failure, request: FastifyRequest, reply: FastifyReply, serialize: Serialize): FastifyReply {
  const { body, headers } = buildErrorResponse(failure, request.language)
  const text = serialize(reply, body)
  dropContentHeaders(reply)
  setRateLimitHeaders(request.rateLimits, reply)
  if (hasMuchUnread(request)) reply.header('connection', 'close')
  return reply.code(body.code).headers(headers).type('application/json; charset=utf-8').send(text)
}

/** Serializes a body as the document requires. A status that the document does not declare for the route is not checked. */
function serialize(reply: FastifyReply, body: Envelope): string {
  const checked = reply.getSerializationFunction(String(body.code), 'application/json')
  return checked ? checked(body) : JSON.stringify(body)
}

/** Drops what a response that could not be sent has said about its content. */
function dropContentHeaders(reply: FastifyReply): void {
  for (const name of ['content-disposition', 'content-encoding', 'content-length', 'etag']) {
    reply.removeHeader(name)
    reply.raw.removeHeader(name) // set there when a stream has failed
  }
  reply.header('cache-control', 'no-store')
}

function toFailure(thrown: unknown, request: FastifyRequest): Failure {
  if (thrown instanceof Failure) return thrown
  if (request.raw.destroyed && !request.raw.complete) return new Failure('malformed_request', { cause: thrown }) // its client has left
  if (!(thrown instanceof Error)) return new Failure('unexpected', { cause: thrown })
  const { validation, statusCode, code: word = '' } = thrown as Partial<FastifyError>
  if (validation) return new Failure('invalid_data', { fields: allFieldErrors(request, validation as never[], true) })
  const status = word.startsWith('FST_') ? (statusCode ?? 500) : 500 // those of other libraries are not for clients
  const code = CODES_BY_STATUS[status] ?? (status < 500 ? 'malformed_request' : 'unexpected')
  return new Failure(code, { hints: word === 'FST_ERR_BAD_URL' ? URL_HINTS : undefined, cause: thrown })
}

/**
 * Replaces a failure that the document does not declare for the operation: it is a bug. Only that of the head of a request
 * is declared for all paths together.
 */
function toDeclared(failure: Failure, { routeOptions }: FastifyRequest): Failure {
  const id = routeOptions.config.operationId
  const errors: readonly string[] | undefined = id && bindings[id].errors
  if (!errors || errors.includes(failure.code) || failure.code === 'headers_too_large') return failure
  const cause = new Error(`the document does not declare the error ${failure.code} for ${id}`, { cause: failure })
  return new Failure('unexpected', { cause })
}

function failureLog(log: Log, logFault: LogFault): (failure: Failure, request: FastifyRequest) => void {
  return ({ code, cause }, { id, routeOptions }) => {
    const about = { requestId: id, operationId: routeOptions.config.operationId, code }
    if (code === 'unexpected') log.error({ ...about, err: cause }, 'request failed unexpectedly')
    else if (ERROR_STATUS[code] === 503) logFault({ ...about, cause })
    else log.debug(about, 'request rejected')
  }
}

const INTERVAL_MS = 1000

type Fault = Readonly<{ requestId: string; operationId: string | undefined; code: string; cause: unknown }>

/** Logs a fault, or counts it if the same one was logged less than a second ago. */
type LogFault = (fault: Fault) => void

/**
 * Returns a function that logs faults of dependencies. While a dependency is unavailable, many requests fail in the same
 * way: the first one is logged with its cause, and then a line each second has the number of the others.
 */
function repeatedFaults(log: Pick<Log, 'warn'>): LogFault {
  const repeated = new Map<string, number>()

  return ({ cause, ...about }) => {
    const { code } = about
    const count = repeated.get(code)
    if (count !== undefined) {
      repeated.set(code, count + 1)
      return
    }
    log.warn({ ...about, err: cause }, 'request failed: service unavailable')
    const report = (): void => {
      const more = repeated.get(code) ?? 0
      repeated.delete(code)
      if (more === 0) return
      log.warn({ code, count: more }, 'requests failed: service unavailable')
      start()
    }
    const start = (): void => {
      repeated.set(code, 0)
      setTimeout(report, INTERVAL_MS).unref()
    }
    start()
  }
}

/** Clients such as curl stop sending when a response has `Connection: close`. What others still send is discarded. */
function hasMuchUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.readableEnded) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > UNREAD_BYTES_MAX
}
