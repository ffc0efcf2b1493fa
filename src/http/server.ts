import fastify, { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { LIMITS } from '../../generated/limits.ts'
import type { Outbox } from '../adapters/outbox.ts'
import type { Context } from '../context.ts'
import type { Operations } from '../contract/operation.ts'
import type { Language } from '../messages/index.ts'
import { addRequestContext, checkHead, type ShutdownState } from './request/request-context.ts'
import { serializerCompiler } from './reply/response-validator.ts'
import { guardConnections } from './connections/index.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections/limits.ts'
import { rawResponses } from './connections/raw-response.ts'
import { stagedClose } from './connections/staged-close.ts'
import { corsFor } from './reply/cors.ts'
import { serveDocs } from './endpoints/docs.ts'
import { readSite } from './endpoints/site.ts'
import { handleServerEvents, clientErrorHandler } from './connections/socket-errors.ts'
import { handleFailures } from './reply/error-handler.ts'
import { serveHealth } from './endpoints/health.ts'
import { readJson } from '../contract/json.ts'
import { languageChooser } from './request/language.ts'
import { requestLog } from './request-log.ts'
import { explainUnrouted, recordRoutes } from './reply/method-not-allowed.ts'
import { serveOutbox } from './endpoints/outbox.ts'
import { serveOperations } from './routes.ts'
import { openSpool } from './request/uploads.ts'
import { validatorCompiler } from '../contract/validation/index.ts'

export type ServerOptions = {
  log: Logger
  defaultLanguage: Language
  isProduction: boolean
  corsOrigins: string[]
  /** Whether pages of every origin on this machine may call the service */
  allowsLocalOrigins: boolean
  trustedProxies: string[]
  shutdown: ShutdownState
  /** Stores the files of forms while their requests run */
  uploadsDirectory: string
  /** In place of the usual limits of connections */
  connectionLimits?: Partial<ConnectionLimits>
}

/** Longer path parameters are malformed. */
const PARAMETER_LENGTH_MAX = 200

/** Creates a server without routes. Its error responses have the envelope. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, trustedProxies, shutdown, isProduction } = options
  const limits = { ...CONNECTION_LIMITS, ...options.connectionLimits }
  const about = { chooseLanguage: languageChooser(options.defaultLanguage), cors: corsFor(options), isProduction }
  const edge = { limits, rawResponses: rawResponses(about), closing: stagedClose(limits) }
  const server = fastify({
    ...requestLog(log),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: LIMITS.body.json_kilobytes * 1024,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs, // longer than that of load balancers
    return503OnClosing: false, // our response has the envelope
    http: {
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
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  const isClosing = ({ socket }: IncomingMessage): boolean => edge.closing.isClosing(socket)
  const explain = explainUnrouted(recordRoutes(server), PARAMETER_LENGTH_MAX)
  const arrive = addRequestContext(server, { ...about, shutdown, isClosing, explainUnrouted: explain })
  handleServerEvents(server.server, edge)
  const sendFailure = handleFailures(server, log)
  readJson(server)
  return server
}

/** Replaces the compilers of Fastify, which it would load although the service has its own. */
const WITHOUT_COMPILERS = { buildValidator: noCompiler, buildSerializer: noCompiler }

function noCompiler(): never {
  throw new Error('The service sets its own compilers.')
}

type Served = { operations: Operations; context: Context; outbox: Outbox | undefined }

/** Registers all routes. */
export async function serve(
  server: FastifyInstance,
  { shutdown, uploadsDirectory, isProduction }: ServerOptions,
  { operations, context, outbox }: Served,
): Promise<void> {
  const spool = await openSpool(uploadsDirectory)
  await serveOperations(server, { operations, context, spool })
  serveDocs(server, readSite(), isProduction)
  serveHealth(server, () => context.store.ping(), shutdown)
  if (outbox) serveOutbox(server, outbox, context)
}
