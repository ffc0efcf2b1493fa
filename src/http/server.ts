import fastify, { type FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { LIMITS } from '../../generated/limits.ts'
import type { ServedOutbox } from '../adapters/outbox.ts'
import type { Context } from '../context.ts'
import type { Operations } from '../contract/operation.ts'
import type { Language } from '../messages/index.ts'
import { networkMatcher } from './request/client-address.ts'
import { addRequestContext, checkHead, requestIds, type ShutdownState, type Trusts } from './request/request-context.ts'
import { serializerCompiler } from './reply/envelope.ts'
import { removeLengthOf304 } from './reply/etag.ts'
import { newDrain } from './connections/drain.ts'
import { guardConnections } from './connections/index.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections/limits.ts'
import { countUnparsed, rawResponses } from './connections/raw-response.ts'
import { stagedClose } from './connections/staged-close.ts'
import { corsFor, type CorsOptions } from './reply/cors.ts'
import { serveAppAssociations, type PasskeyApps } from './endpoints/app-associations.ts'
import { accountPages, type PagesOptions } from './endpoints/account-pages.ts'
import { readSite, serveSite } from './endpoints/site.ts'
import { fillDocuments, type Installation } from './endpoints/document.ts'
import { handleServerEvents, clientErrorHandler } from './connections/socket-errors.ts'
import { handleFailures } from './reply/error-handler.ts'
import { serveHealth } from './endpoints/health.ts'
import { readJson } from '../contract/json.ts'
import { languageChooser } from './request/language.ts'
import type { Observers } from '../lib/observers.ts'
import type { AccessLines } from './observation/access-line.ts'
import { guardObservers } from './observation/guard.ts'
import { observeRequests } from './observation/index.ts'
import { traceRequests } from './observation/trace-requests.ts'
import { explainUnrouted, recordRoutes, refuseOtherMethods } from './reply/method-not-allowed.ts'
import { serveOutbox } from './endpoints/outbox.ts'
import { serveOperations } from './routes.ts'
import { openSpool } from './request/uploads.ts'
import { validatorCompiler } from '../contract/validation/index.ts'

export type ServerOptions = CorsOptions & {
  log: Logger
  defaultLanguage: Language
  isProduction: boolean
  trustedProxies: string[]
  shutdown: ShutdownState
  /** Stores the files of forms while their requests run */
  uploadsDirectory: string
  /** In place of the usual limits of connections */
  connectionLimits?: Partial<ConnectionLimits>
  observers?: Observers
  accessLines?: AccessLines | undefined
}

/** Longer path parameters are malformed. */
const PARAMETER_LENGTH_MAX = 200

/** Creates a server without routes. Its error responses have the envelope. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, trustedProxies, shutdown, isProduction, accessLines } = options
  const { metrics, tracer } = options.observers ?? {}
  const limits = { ...CONNECTION_LIMITS, ...options.connectionLimits }
  const about = { chooseLanguage: languageChooser(options.defaultLanguage), cors: corsFor(options), isProduction }
  const guard = guardObservers(log, metrics)
  const raw = countUnparsed(rawResponses(about), metrics, guard)
  const edge = { limits, rawResponses: raw, closing: stagedClose(limits) }
  const isTrusted = networkMatcher(trustedProxies)
  const trusts: Trusts = ({ socket }) => isTrusted(socket.remoteAddress)
  const server = fastify({
    logger: false, // access lines cost less
    genReqId: requestIds(trusts),
    trustProxy: trustedProxies.length > 0 ? isTrusted : false,
    bodyLimit: LIMITS.body.json_kilobytes * 1024,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs, // longer than that of load balancers
    return503OnClosing: false, // our response has the envelope
    http: {
      maxHeaderSize: LIMITS.headers.kilobytes * 1024,
      connectionsCheckingInterval: limits.checkMs,
      requireHostHeader: false, // our response has the envelope
    },
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    schemaController: { compilersFactory: WITHOUT_COMPILERS },
    clientErrorHandler: clientErrorHandler(edge),
    frameworkErrors(error, request, reply) {
      arrive(request, reply)
      sendFailure(checkHead(request) ?? error, request, reply)
    },
  })
  guardConnections(server.server, { ...edge, trustedProxies, log })
  server.decorate('drain', newDrain(server.server, edge))
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  const isClosing = ({ socket }: IncomingMessage): boolean => edge.closing.isClosing(socket)
  const explain = explainUnrouted(recordRoutes(server), PARAMETER_LENGTH_MAX)
  if (tracer) traceRequests(server, tracer, { trusts, guard })
  const observe = observeRequests({ metrics, accessLines, guard })
  const arrive = addRequestContext(server, { ...about, shutdown, isClosing, explainUnrouted: explain, observe })
  handleServerEvents(server.server, edge)
  const sendFailure = handleFailures(server, log, guard)
  readJson(server)
  return server
}

/** Replaces the compilers of Fastify, which it would load although the service has its own. */
const WITHOUT_COMPILERS = { buildValidator: noCompiler, buildSerializer: noCompiler }

function noCompiler(): never {
  throw new Error('The service sets its own compilers.')
}

type Served = {
  operations: Operations
  context: Context
  outbox: ServedOutbox | undefined
  passkeyApps: PasskeyApps
  installation: Installation
  /** undefined: the account pages are not served */
  pages?: PagesOptions | undefined
}

export async function serve(
  server: FastifyInstance,
  { shutdown, uploadsDirectory, isProduction }: ServerOptions,
  { operations, context, outbox, passkeyApps, installation, pages }: Served,
): Promise<void> {
  const spool = await openSpool(uploadsDirectory)
  removeLengthOf304(server)
  const served = recordRoutes(server)
  await serveOperations(server, { operations, context, spool })
  const files = await fillDocuments(readSite(), installation)
  serveSite(server, files, { isProduction, account: pages ? accountPages(pages, files) : [] })
  serveAppAssociations(server, passkeyApps)
  serveHealth(server, () => context.store.ping(), shutdown)
  if (outbox) serveOutbox(server, outbox, context)
  refuseOtherMethods(server, served)
}
