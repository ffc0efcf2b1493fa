import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { bindings } from '../../generated/operations.ts'
import type { Context } from '../context.ts'
import type { Operation, OperationId, Operations } from '../contract/operation.ts'
import { authorize, authenticate } from './request/authorization.ts'
import { hasPhone } from '../contract/phone-fields.ts'
import { FORM } from '../contract/forms/form-rules.ts'
import { acceptForms } from './request/forms.ts'
import { readPatch, readRoutes } from './document-routes.ts'
import { newHandler, type RouteParts } from './handler.ts'
import { parseParameters } from './request/query-parameters.ts'
import { readSignedBodies } from './request/signed-bodies.ts'
import { checkContentType, ignoreAbsentBody } from './request/content-type.ts'
import { ignoreFields } from '../contract/unions/union.ts'
import type { Spool } from './request/uploads.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyContextConfig {
    operationId?: OperationId
    /** Rejects an ended session, for routes whose operation reads the session only after the form */
    refuseEndedSession?: (request: FastifyRequest) => Promise<void>
    /** A route that rejects methods which its path does not have */
    isRefusal?: boolean
  }
}

/**
 * Serves every operation of the document. The stages of a request, in order: context, token, privileges, media type, body,
 * fields, operation, response.
 *
 * @throws when the document and the operations do not have the same ids
 */
export async function serveOperations(
  server: FastifyInstance,
  { operations, context, spool }: { operations: Operations; context: Context; spool: Spool },
): Promise<void> {
  const routes = readRoutes()
  refuseMismatch([...routes.keys()], operations)
  parseParameters(server)
  ignoreFields(server)
  const serveIn = (scope: FastifyInstance, kind: BodyKind): void => {
    for (const [id, route] of routes) {
      if (bodyKind(id) !== kind) continue
      const patch = readPatch(id)
      scope.route({
        ...route,
        ...patch?.route,
        ...buildRoute(id, operations[id] as Operation<OperationId>, {
          context,
          applyPatch: patch?.apply,
          hasPhone: hasPhone(route.schema),
        }),
      } as RouteOptions)
    }
  }

  // Each kind has a scope, because the hooks of the form parser cost every request of theirs.
  const prepareScope: Record<BodyKind, (scope: FastifyInstance) => unknown> = {
    none: readNoBodies,
    json: () => undefined,
    signed: readSignedBodies,
    form: (scope) => acceptForms(scope, spool),
  }
  for (const [kind, prepare] of Object.entries(prepareScope)) {
    await server.register(async (scope) => {
      await prepare(scope)
      serveIn(scope, kind as BodyKind)
    })
  }
}

type BodyKind = 'none' | 'json' | 'signed' | 'form'

/** Returns which parsers an operation needs. */
function bodyKind(id: OperationId): BodyKind {
  const media: readonly string[] = bindings[id].media
  if (bindings[id].signed) return 'signed'
  if (media.length === 0) return 'none'
  return media.includes(FORM) ? 'form' : 'json'
}

/** Ignores the bodies of operations that have none: many clients send a media type with every request, some even `{}`. */
function readNoBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = undefined // Fastify would respond 415 to an unknown one
    done()
  })
}

function buildRoute(id: OperationId, operation: Operation<OperationId>, parts: RouteParts): Partial<RouteOptions> {
  const { context, hasPhone } = parts
  const { secured, media, bodyOptional, deferValidation, deprecation } = bindings[id]
  const accepted: readonly string[] = media
  const refuse = (request: FastifyRequest): Promise<void> => refuseEndedSession(request, context)
  const isLate = secured && deferValidation
  // `Deprecation` and `Sunset`, also of errors
  const addHeaders = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    void reply.headers(deprecation)
  return {
    config: { operationId: id, ...(isLate && { refuseEndedSession: refuse }) },
    attachValidation: deferValidation || hasPhone, // the handler adds what no schema finds
    onRequest: [
      ...(Object.keys(deprecation).length > 0 ? [addHeaders] : []),
      ...(bodyOptional ? [ignoreAbsentBody] : []),
      ...(secured ? [bearerHook(id, context)] : []),
    ],
    ...(media.length > 0 && {
      async preParsing(request, reply, payload) {
        checkContentType(request, accepted, bodyOptional)
        if (accepted.includes(FORM) && secured && !(isLate && hasForm(request))) await refuse(request)
        if (request.headers.expect !== undefined) reply.raw.writeContinue()
        return payload
      },
    }),
    handler: newHandler(id, operation, parts),
  }
}

function bearerHook(id: OperationId, context: Context): (request: FastifyRequest) => Promise<void> {
  const { tokenOptional } = bindings[id]
  return async (request) => {
    if (tokenOptional && request.headers.authorization === undefined) return
    request.bearer = await authorize(request, await authenticate(request, context), id, context)
  }
}

/** Whether the whole form has arrived with the headers. Reading it costs less than reading the session. */
function hasForm({ mediaType, raw, headers: { 'content-length': length } }: FastifyRequest): boolean {
  return mediaType === FORM && length !== undefined && raw.readableLength >= Number(length)
}

/** Rejects a session that has ended before its form is read, which may be large. */
async function refuseEndedSession({ bearer }: FastifyRequest, { store }: Context): Promise<void> {
  if (bearer) await store.bearerAccounts.account(bearer)
}

function refuseMismatch(declared: readonly string[], operations: Operations): void {
  const missing = declared.filter((id) => !Object.hasOwn(operations, id))
  const surplus = Object.keys(operations).filter((id) => !declared.includes(id))
  if (missing.length > 0) throw new Error(`Operations without a handler: ${missing.join(', ')}`)
  if (surplus.length > 0) throw new Error(`Handlers without an operation: ${surplus.join(', ')}`)
}
