import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS } from '../../generated/errors.ts'
import { bindings } from '../../generated/operations.ts'
import { Failure, type ErrorCode } from '../domain/failure.ts'
import type { Log } from '../log.ts'
import { refusal } from './envelope.ts'
import { sendRateLimits } from './rate-limit-headers.ts'
import { allWrongFields } from './validation.ts'

/** What Fastify and its plugins throw of themselves, by status, in our words. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'route_unknown',
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'media_type_unsupported',
  431: 'headers_too_large',
  503: 'overloaded',
}

/** From how many unread bytes on a new connection is cheaper than the rest of the body */
const UNREAD_BYTES_MAX = 1024 * 1024

export type SendFailure = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Turns everything that can be thrown into the envelope; gives what does so. */
export function answerFailures(server: FastifyInstance, log: Log): SendFailure {
  const sendFailure: SendFailure = (thrown, request, reply) => {
    const failure = declared(failureOf(thrown, request), request)
    const { body, headers } = refusal(failure, request.language)
    logFailure(log, failure, request)
    sendRateLimits(request.slate, reply)
    if (hasMuchUnread(request)) reply.header('connection', 'close')
    return reply.code(body.code).headers(headers).type('application/json; charset=utf-8').send(body)
  }
  server.setNotFoundHandler(() => {
    throw new Failure('route_unknown')
  })
  server.setErrorHandler(sendFailure)
  return sendFailure
}

function failureOf(thrown: unknown, request: FastifyRequest): Failure {
  if (thrown instanceof Failure) return thrown
  if (request.raw.destroyed && !request.raw.complete) return new Failure('malformed_request', { cause: thrown }) // cut off
  if (!(thrown instanceof Error)) return new Failure('unexpected', { cause: thrown })
  const { validation, statusCode, code: word = '' } = thrown as Partial<FastifyError>
  if (validation) return new Failure('invalid_data', { fields: allWrongFields(request, validation as never[]) })
  const status = word.startsWith('FST_') ? (statusCode ?? 500) : 500 // other libraries do not answer for us
  const code = CODE_OF_STATUS[status] ?? (status < 500 ? 'malformed_request' : 'unexpected')
  return new Failure(code, { cause: thrown })
}

/** Failures of the request's head, which the document declares for all paths at once and not with each operation */
const OF_ANY_PATH: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['headers_too_large'])

/** An operation fails with the words that the document has for it: another one is a bug of ours. */
function declared(failure: Failure, { routeOptions }: FastifyRequest): Failure {
  const id = routeOptions.config.operationId
  const errors: readonly string[] | undefined = id && bindings[id].errors
  if (!errors || errors.includes(failure.code) || OF_ANY_PATH.has(failure.code)) return failure
  const cause = new Error(`the document does not have ${failure.code} for ${id}`, { cause: failure })
  return new Failure('unexpected', { cause })
}

function logFailure(log: Log, { code, cause }: Failure, { id, routeOptions }: FastifyRequest): void {
  const about = { requestId: id, operationId: routeOptions.config.operationId, code }
  if (code === 'unexpected') log.error({ ...about, err: cause }, 'a request failed unexpectedly')
  else if (ERROR_STATUS[code] === 503) log.warn({ ...about, err: cause }, 'a request could not be served')
  else log.debug(about, 'a request was refused')
}

/**
 * `Connection: close` lets clients stop sending, as curl does. What others send all the same is discarded, so that they
 * receive the response.
 */
function hasMuchUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.readableEnded) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > UNREAD_BYTES_MAX
}
