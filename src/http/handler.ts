import type { FastifyReply, FastifyRequest } from 'fastify'
import { bindings } from '../../generated/operations.ts'
import type { Context } from '../context.ts'
import type { Bytes, Call, Operation, OperationId } from '../contract.ts'
import { invalidData, type FieldFailures } from '../domain/failure.ts'
import { say, type Language, type MessageKey } from '../messages/index.ts'
import { sendBytes } from './bytes.ts'
import { cacheable } from './cacheable.ts'
import { clientOf } from './client.ts'
import type { Envelope } from './envelope.ts'
import { sendRateLimits } from './rate-limit-headers.ts'
import { abandonedSignal } from './request/abandoned.ts'
import { allWrongFields, rightFieldsOfBody } from './validation.ts'

type Handler = (request: FastifyRequest, response: FastifyReply) => Promise<unknown>

/** The same for every operation: nothing of HTTP reaches them, and nothing of them decides a status. */
export function handlerOf(id: OperationId, operation: Operation<OperationId>, context: Context): Handler {
  const { cacheControl, success, checksFurther } = bindings[id]
  const sendCacheable = cacheControl === 'no-store' ? undefined : cacheable(cacheControl)
  const envelopeOf = envelopes(success)

  return async (request, response) => {
    const { language, slate } = request
    const { data, retryAfterSeconds } = await operation(callOf(request, response, checksFurther), context)

    sendRateLimits(slate, response)
    response.code(success.status)
    if (retryAfterSeconds !== undefined) response.header('retry-after', retryAfterSeconds)
    if (!envelopeOf) return sendBytes(response, data as Bytes) // which its operation answers with
    if (!sendCacheable) return envelopeOf(data, language)
    return sendCacheable(request, response, { data, answer: () => envelopeOf(data, language) })
  }
}

/** What Fastify validated has the types of the document, which the compiler cannot know. */
function callOf(request: FastifyRequest, { raw }: FastifyReply, checksFurther: boolean): Call<OperationId> {
  const { body, params, query, bearer, language, slate } = request
  const call = {
    body,
    path: params,
    query,
    bearer,
    language,
    slate,
    reply,
    get client() {
      return clientOf(request) // which most reads do not ask for
    },
    get abandoned() {
      return abandonedSignal(raw) // only work that waits in a queue needs it
    },
  }
  return (checksFurther ? Object.assign(call, judgementOf(request)) : call) as unknown as Call<OperationId>
}

/** For operations that check further: Fastify hands over what is wrong in place of refusing it. */
function judgementOf(request: FastifyRequest): object {
  const { validationError, body } = request
  const errors = validationError?.validation as never[] | undefined
  const wrong = errors ? allWrongFields(request, errors) : {}
  const draft = errors ? rightFieldsOfBody(request) : body
  const complete = (failures: FieldFailures): unknown => {
    const all = { ...failures, ...wrong }
    if (Object.keys(all).length > 0) throw invalidData(all)
    return body
  }
  return { draft, wrong, complete }
}

function reply(data: unknown, more?: { retryAfterSeconds: number }): unknown {
  return { data, ...more }
}

type Success = { status: number; message: MessageKey | null; beside: readonly string[] }

/** Puts data into the envelope of a success; undefined for an operation whose answer has none. */
function envelopes({
  status,
  message,
  beside,
}: Success): ((data: unknown, language: Language) => Envelope) | undefined {
  if (message === null) return undefined
  return (data, language) => {
    const envelope = { status: true, code: status, message: say(language, message), data }
    return beside.length > 0 ? Object.assign(envelope, besideOf(data, beside)) : envelope
  }
}

/** Members of `data` that stand beside it too. */
function besideOf(data: unknown, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, (data as Record<string, unknown>)[name]]))
}
