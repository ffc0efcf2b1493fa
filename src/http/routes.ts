import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import glue from 'fastify-openapi-glue'
import { bindings } from '../../generated/operations.ts'
import type { Context } from '../context.ts'
import type { Call, Operation, OperationId, Operations } from '../contract.ts'
import { say } from '../messages/index.ts'
import { authenticate } from './bearer.ts'
import { clientOf } from './client.ts'
import type { Document } from './document.ts'
import type { Envelope } from './envelope.ts'
import { readForm, takeForms } from './forms.ts'
import { checkMedia } from './media.ts'
import { sendRateLimits } from './rate-limit-headers.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyContextConfig {
    operationId?: OperationId
  }
}

const FORM = 'multipart/form-data'

/**
 * Serves every operation of the document. The stages of a request, in order: arrival, token, media type, body, fields,
 * operation, answer.
 *
 * @throws when the document and the operations do not have the same ids
 */
export async function serveOperations(
  server: FastifyInstance,
  document: Document,
  operations: Operations,
  context: Context,
): Promise<void> {
  refuseMismatch(document, operations)
  // the glue adds method, URL and schema
  const operationResolver = (id: string): RouteOptions =>
    routeOf(id as OperationId, operations, context) as RouteOptions
  const takesForm = (id: string): boolean => mediaOf(id as OperationId).includes(FORM)

  await server.register(glue, { specification: part(document, (id) => !takesForm(id)), operationResolver })
  // The hooks of the form parser cost every request of their scope.
  await server.register(async (scope) => {
    await takeForms(scope)
    await scope.register(glue, { specification: part(document, takesForm), operationResolver })
  })
}

function routeOf(id: OperationId, operations: Operations, context: Context): Partial<RouteOptions> {
  const { secured, media } = bindings[id]
  const accepted = mediaOf(id)
  return {
    config: { operationId: id },
    ...(secured && {
      async onRequest(request: FastifyRequest) {
        request.bearer = await authenticate(request, context)
      },
    }),
    ...(media.length > 0 && {
      preParsing(request, _reply, payload, done) {
        checkMedia(request, accepted)
        done(null, payload)
      },
    }),
    ...(accepted.includes(FORM) && {
      async preValidation(request: FastifyRequest) {
        if (request.isMultipart()) request.body = await readForm(request)
      },
    }),
    handler: handlerOf(id, operations[id] as Operation<OperationId>, context),
  }
}

/** The same for every operation: nothing of HTTP reaches them, and nothing of them decides a status. */
function handlerOf(id: OperationId, operation: Operation<OperationId>, context: Context) {
  const { cacheControl } = bindings[id]
  const reply = (message: string, data: unknown, beside?: object): unknown => ({ message, data, beside })

  return async (request: FastifyRequest, response: FastifyReply): Promise<Envelope> => {
    const { body, bearer, language, slate } = request
    const call = { body, bearer, language, slate, client: clientOf(request), reply } as unknown as Call<OperationId>
    const { message, data, beside } = await operation(call, context)

    sendRateLimits(slate, response)
    response.header('content-language', language)
    if (cacheControl !== 'no-store') response.header('cache-control', cacheControl)
    return { status: true, code: 200, message: say(language, message), data, ...beside }
  }
}

function mediaOf(id: OperationId): readonly string[] {
  return bindings[id].media
}

/** The document with the operations that `belongs` picks. */
function part(document: Document, belongs: (id: string) => boolean): Document {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const kept = Object.entries(item).filter(([, operation]) => belongs(operation.operationId))
    return [path, Object.fromEntries(kept)] as const
  })
  return structuredClone({ ...document, paths: Object.fromEntries(paths) }) // the glue dereferences it in place
}

function refuseMismatch(document: Document, operations: Operations): void {
  const declared = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  const missing = declared.filter((id) => !Object.hasOwn(operations, id))
  const surplus = Object.keys(operations).filter((id) => !declared.includes(id))
  if (missing.length > 0) throw new Error(`Operations without a handler: ${missing.join(', ')}`)
  if (surplus.length > 0) throw new Error(`Handlers without an operation: ${surplus.join(', ')}`)
}
