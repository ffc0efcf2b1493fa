import type { ErrorObject } from 'ajv'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bindings } from '../../generated/operations.ts'
import type { Context } from '../context.ts'
import type { IdempotentRequest, Bytes, Call, Client, Operation, OperationId } from '../contract/operation.ts'
import type { RateLimiter } from '../domain/rate-limiter.ts'
import { invalidData, type Failure } from '../domain/failure.ts'
import { canonicalJson } from '../domain/text.ts'
import { deferValidation, type DeferredValidation } from '../contract/field-errors.ts'
import { readPhone } from '../contract/phone-fields.ts'
import type { ApplyPatch } from '../contract/merge-patch.ts'
import { say, type Language, type MessageKey } from '../messages/index.ts'
import { cacheable } from './reply/cacheable.ts'
import { isKnown, readIfMatch, versionEtag } from './reply/etag.ts'
import { readClient } from './request/client-address.ts'
import { serialize, type Envelope } from './reply/envelope.ts'
import { setRateLimitHeaders, rateLimiterFor } from './request/rate-limiter.ts'
import { signedRequest } from './request/signed-bodies.ts'
import { abandonedSignal } from './request/request-context.ts'
import { allFieldErrors, validBodyFields } from '../contract/validation/index.ts'

type Members = Readonly<Record<string, unknown>>

type Handler = (request: FastifyRequest, response: FastifyReply) => Promise<unknown>

/** What a route of an operation is made of. `hasPhone`: its bodies have a phone number. */
export type RouteParts = Readonly<{ context: Context; applyPatch: ApplyPatch | undefined; hasPhone: boolean }>

/** Makes the handler of an operation, which sees nothing of HTTP: statuses and headers are decided here. */
export function newHandler(
  id: OperationId,
  operation: Operation<OperationId>,
  { context, applyPatch, hasPhone }: RouteParts,
): Handler {
  const { cacheControl, success, statuses, deferValidation: isDeferred, signed: isSigned } = bindings[id]
  const respondCacheable = cacheControl === 'no-store' ? undefined : cacheable(cacheControl)
  const buildEnvelope = envelopeBuilder(success)
  const isConditional = (statuses as readonly number[]).includes(304)

  const handle: Handler = async (request, response) => {
    const { language, rateLimits } = request
    // Fastify has validated the request, so it has the types of the document, which the compiler cannot know.
    const call = new ReceivedCall(id, request, response, context) as unknown as Call<OperationId>
    if (isSigned) Object.assign(call, { signed: signedRequest(request) })
    if (isDeferred) Object.assign(call, readForm(request))
    if (applyPatch) Object.assign(call, { applyTo: (target: Members) => applyPatch(target, request.body as Members) })
    const { data, retryAfterSeconds, headers, message, version } = await operation(call, context)

    setRateLimitHeaders(rateLimits, response)
    response.code(success.status)
    if (retryAfterSeconds !== undefined) response.header('retry-after', retryAfterSeconds)
    if (headers !== undefined) response.headers(headers)
    if (!buildEnvelope) return sendStream(response, data as Bytes) // the document has `x-tawthiq-stream`
    if (version !== undefined) {
      const body = Buffer.from(serialize(response, buildEnvelope(data, language, message)))
      const etag = versionEtag(version, language, body)
      response.header('etag', etag)
      if (isConditional && isKnown(request, etag)) return void response.code(304).send()
      response.type('application/json; charset=utf-8')
      return body // a response would be awaited as a promise
    }
    if (!respondCacheable) return buildEnvelope(data, language, message)
    return respondCacheable(request, response, { data, toBody: () => buildEnvelope(data, language) })
  }
  if (isDeferred || !hasPhone) return handle
  return (request, response) => {
    if (request.validationError) throw invalidRequest(request, context)
    return handle(request, response)
  }
}

/**
 * What an operation receives. Members that few operations need are computed when they are read, by accessors that all calls
 * share: accessors of their own would give each call a hidden class, which lives until the next whole garbage collection.
 */
class ReceivedCall {
  readonly body: unknown
  readonly path: unknown
  readonly query: unknown
  readonly bearer: FastifyRequest['bearer']
  readonly language: Language
  readonly expectedVersions: ReadonlySet<string> | undefined
  readonly reply = reply
  private readonly id: OperationId
  private readonly request: FastifyRequest
  private readonly response: FastifyReply
  private readonly context: Context
  private knownClient: Client | undefined
  private knownSignal: AbortSignal | undefined

  constructor(id: OperationId, request: FastifyRequest, response: FastifyReply, context: Context) {
    this.body = request.body
    this.path = request.params
    this.query = request.query
    this.bearer = request.bearer
    this.language = request.language
    this.expectedVersions = readIfMatch(request.headers['if-match'])
    this.id = id
    this.request = request
    this.response = response
    this.context = context
  }

  get client(): Client {
    return (this.knownClient ??= readClient(this.request))
  }

  get rateLimiter(): RateLimiter {
    return rateLimiterFor(this.request, this.context)
  }

  /** Only operations with the parameter read it, and once. */
  get idempotency(): IdempotentRequest | undefined {
    return readIdempotency(this.request, this.response, this.id)
  }

  /** Only work that waits in a queue needs it. */
  get abandoned(): AbortSignal {
    return (this.knownSignal ??= abandonedSignal(this.response.raw))
  }
}

/** Returns the errors of all fields of a request, with those of its phone number. */
function invalidRequest(request: FastifyRequest, context: Context): Failure {
  const { failures } = readPhone(validBodyFields(request), context)
  return invalidData({ ...failures, ...allFieldErrors(request, validationErrors(request), true) })
}

function validationErrors({ validationError }: FastifyRequest): ErrorObject[] {
  if (validationError && !validationError.validation) throw validationError // of a validator that has failed itself
  return (validationError?.validation ?? []) as ErrorObject[] // of our validators, which are those of Ajv
}

/** Returns the form of a request, with the errors that Fastify has found in it. */
function readForm(request: FastifyRequest): DeferredValidation {
  const form = request.body as object // only forms are validated by their operations
  const errors = validationErrors(request)
  if (errors.length === 0) return deferValidation(form, { body: form, fieldErrors: {} })
  return deferValidation(form, { body: validBodyFields(request), fieldErrors: allFieldErrors(request, errors) })
}

function reply(data: unknown, more?: object): unknown {
  return { data, ...more }
}

/** Puts data into the envelope, with the message of the document or one of the operation. */
type BuildEnvelope = (data: unknown, language: Language, own?: MessageKey) => Envelope

type Success = (typeof bindings)[OperationId]['success']

/** Returns a function that puts data into the envelope of a success; undefined for an operation that returns bytes. */
function envelopeBuilder({ status, message, beside }: Success): BuildEnvelope | undefined {
  if (message === null) return undefined
  return (data, language, own = message) => {
    const envelope = { status: true, code: status, message: say(language, own), data }
    for (const name of beside) Object.assign(envelope, { [name]: (data as Members)[name] }) // repeated beside the data
    return envelope
  }
}

/**
 * Returns the `Idempotency-Key` of a request; undefined if it has none. A request with invalid fields has no effect, so its
 * key is not read.
 */
function readIdempotency(
  { headers, params, body, validationError }: FastifyRequest,
  reply: FastifyReply,
  operation: OperationId,
): IdempotentRequest | undefined {
  const value = headers['idempotency-key']
  if (typeof value !== 'string' || validationError) return undefined
  return {
    key: value.replaceAll('"', ''), // quotation marks of a structured field (RFC 9651, 3.3.3)
    operation,
    content: canonicalJson([params, body]),
    markReplayed: () => void reply.header('idempotency-replayed', 'true'),
  }
}

/** Browsers may cache files that never change, for the shortest lifetime of a link. */
const STORABLE = 'private, max-age=300'

/** Sends bytes with the type that the operation states; browsers must not guess another one. */
function sendStream(response: FastifyReply, content: Bytes): FastifyReply {
  const { stream, type, bytes, disposition, filename, isStorable } = content
  if (isStorable) response.header('cache-control', STORABLE)
  if (response.request.method === 'HEAD') stream.destroy() // Node would read all of it and send nothing
  if (bytes !== undefined) response.header('content-length', bytes)
  return response.header('content-disposition', `${disposition}; filename="${filename}"`).type(type).send(stream)
}
