import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import glue from 'fastify-openapi-glue'
import { bindings } from '../../generated/operations.ts'
import type { Context } from '../context.ts'
import type { Operation, OperationId, Operations } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { authorize } from './authorization.ts'
import { authenticate } from './bearer.ts'
import type { Document } from './document.ts'
import { FORM } from './form-rules.ts'
import { takeForms } from './forms.ts'
import { handlerOf } from './handler.ts'
import { readQueries } from './queries.ts'
import { checkMedia } from './media.ts'
import { ignoreFields } from './unions/ignored-fields.ts'
import type { Spool } from './uploads.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyContextConfig {
    operationId?: OperationId
  }
}

/**
 * Serves every operation of the document. The stages of a request, in order: arrival, token, privileges, media type,
 * body, fields, operation, answer.
 *
 * @throws when the document and the operations do not have the same ids
 */
export async function serveOperations(
  server: FastifyInstance,
  document: Document,
  { operations, context, spool }: { operations: Operations; context: Context; spool: Spool },
): Promise<void> {
  refuseMismatch(document, operations)
  readQueries(server)
  ignoreFields(server)
  // the glue adds method, URL and schema
  const operationResolver = (id: string): RouteOptions =>
    routeOf(id as OperationId, operations, context) as RouteOptions
  const takesBody = (id: string): boolean => mediaOf(id as OperationId).length > 0
  const takesForm = (id: string): boolean => mediaOf(id as OperationId).includes(FORM)
  const takesJson = (id: string): boolean => takesBody(id) && !takesForm(id)

  await server.register(async (scope) => {
    readNoBodies(scope)
    await scope.register(glue, { specification: part(document, (id) => !takesBody(id)), operationResolver })
  })
  await server.register(glue, { specification: part(document, takesJson), operationResolver })
  // The hooks of the form parser cost every request of their scope.
  await server.register(async (scope) => {
    await takeForms(scope, spool)
    await scope.register(glue, { specification: part(document, takesForm), operationResolver })
  })
}

/** Many clients send a media type with each request, and some an empty object: where no body is wanted, none is read. */
function readNoBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = undefined // Fastify answers 415 to one that it cannot parse
    done()
  })
}

function routeOf(id: OperationId, operations: Operations, context: Context): Partial<RouteOptions> {
  const { secured, tokenOptional, media, checksFurther } = bindings[id]
  const accepted = mediaOf(id)
  return {
    config: { operationId: id },
    attachValidation: checksFurther,
    ...(secured && {
      async onRequest(request: FastifyRequest) {
        const isLeftOut = tokenOptional && request.headers.authorization === undefined
        if (isLeftOut) return
        request.bearer = await authorize(request, await authenticate(request, context), id, context)
      },
    }),
    ...(media.length > 0 && {
      async preParsing(request, reply, payload) {
        checkMedia(request, accepted)
        if (accepted.includes(FORM) && secured) await refuseEnded(request, context)
        if (request.headers.expect !== undefined) reply.raw.writeContinue()
        return payload
      },
    }),
    handler: handlerOf(id, operations[id] as Operation<OperationId>, context),
  }
}

/** A form may be large: nobody sends one for a session that has ended. */
async function refuseEnded({ bearer }: FastifyRequest, { store }: Context): Promise<void> {
  if (bearer && !(await store.bearers.account(bearer))) throw new Failure('token_revoked')
}

function mediaOf(id: OperationId): readonly string[] {
  return bindings[id].media
}

/** No value of it makes a request fail, so that it is not validated: language.ts reads it. */
const ACCEPT_LANGUAGE = '#/components/parameters/AcceptLanguage'

/** The document with the operations that `belongs` picks. */
function part(document: Document, belongs: (id: string) => boolean): Document {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const kept = Object.entries(item)
      .filter(([, operation]) => belongs(operation.operationId))
      .map(([method, operation]) => {
        const parameters = operation.parameters?.filter(({ $ref }) => $ref !== ACCEPT_LANGUAGE)
        return [method, { ...operation, parameters }] as const
      })
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
