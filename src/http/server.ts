import fastify, { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { LIMITS } from '../../generated/limits.ts'
import type { Outbox } from '../adapters/outbox.ts'
import type { Context } from '../context.ts'
import type { Operations } from '../contract.ts'
import type { Language } from '../messages/index.ts'
import { prepareArrivals, refusalOfHead, type Departure } from './arrival.ts'
import { serializerCompiler } from './checked-replies.ts'
import { guardConnections } from './connections/index.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections/limits.ts'
import { rawAnswers } from './connections/raw-answer.ts'
import { stagedClose } from './connections/staged-close.ts'
import { corsFor } from './cors.ts'
import { serveDocs } from './docs.ts'
import { readDocument } from './document.ts'
import { answerServerEvents, clientErrorHandler } from './edges.ts'
import { answerFailures } from './failures.ts'
import { serveHealth } from './health.ts'
import { readJson } from './json.ts'
import { languageChooser } from './language.ts'
import { requestLog } from './request-log.ts'
import { answerOtherMethods, rememberRoutes } from './other-methods.ts'
import { serveOutbox } from './outbox.ts'
import { serveOperations } from './routes.ts'
import { openSpool } from './uploads.ts'
import { validatorCompiler } from './validation.ts'

export type ServerOptions = {
  log: Logger
  defaultLanguage: Language
  isProduction: boolean
  corsOrigins: string[]
  /** Whether pages of any origin on this machine may call the service */
  allowsLocalOrigins: boolean
  trustedProxies: string[]
  departure: Departure
  /** Where the files of a form stay while its request runs */
  uploadsFolder: string
  /** In place of the usual limits of connections */
  connectionLimits?: Partial<ConnectionLimits>
}

/** A server without routes. What it refuses before it has any is in the envelope already. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, trustedProxies, departure, isProduction } = options
  const limits = { ...CONNECTION_LIMITS, ...options.connectionLimits }
  const about = { chooseLanguage: languageChooser(options.defaultLanguage), cors: corsFor(options), isProduction }
  const edge = { limits, answers: rawAnswers(about), closing: stagedClose(limits) }
  const server = fastify({
    ...requestLog(log),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: LIMITS.body.json_kilobytes * 1024,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs, // longer than load balancers keep theirs
    return503OnClosing: false, // our own answer has the envelope
    http: {
      connectionsCheckingInterval: limits.checkMs,
      requireHostHeader: false, // our own answer has the envelope
    },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: clientErrorHandler(edge),
    frameworkErrors(error, request, reply) {
      arrive(request, reply)
      sendFailure(refusalOfHead(request) ?? error, request, reply)
    },
  })
  guardConnections(server.server, { ...edge, trustedProxies, log })
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  const isClosing = ({ socket }: IncomingMessage): boolean => edge.closing.isClosing(socket)
  const arrive = prepareArrivals(server, { ...about, departure, isClosing })
  answerServerEvents(server.server, edge)
  const sendFailure = answerFailures(server, log)
  readJson(server)
  return server
}

type Served = { operations: Operations; context: Context; outbox: Outbox | undefined }

/** Registers everything that the server answers, and what it does not. */
export async function serve(
  server: FastifyInstance,
  { departure, uploadsFolder }: ServerOptions,
  { operations, context, outbox }: Served,
): Promise<void> {
  const { document, ...files } = readDocument()
  const routes = rememberRoutes(server)
  const spool = await openSpool(uploadsFolder)
  await serveOperations(server, document, { operations, context, spool })
  serveDocs(server, files)
  serveHealth(server, () => context.store.ping(), departure)
  if (outbox) serveOutbox(server, outbox, context)
  answerOtherMethods(server, routes)
}
