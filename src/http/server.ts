import fastify, { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { LIMITS } from '../../generated/limits.ts'
import type { Outbox } from '../adapters/outbox.ts'
import type { Context } from '../context.ts'
import type { Operations } from '../contract.ts'
import type { Language } from '../messages/index.ts'
import { prepareArrivals, type Departure } from './arrival.ts'
import { serializerCompiler } from './checked-replies.ts'
import { allowOrigins } from './cors.ts'
import { serveDocs } from './docs.ts'
import { readDocument } from './document.ts'
import { answerServerEvents, clientErrorHandler } from './edges.ts'
import { answerFailures } from './failures.ts'
import { serveHealth } from './health.ts'
import { readJson } from './json.ts'
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
  trustedProxies: string[]
  departure: Departure
  /** Where the files of a form stay while its request runs */
  uploadsFolder: string
}

const SECOND_MS = 1000
const CONNECTIONS_MAX = 10_000

/** A server without routes. What it refuses before it has any is in the envelope already. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, defaultLanguage, trustedProxies } = options
  const server = fastify({
    ...requestLog(log),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: LIMITS.body.json_kilobytes * 1024,
    requestTimeout: 30 * SECOND_MS,
    keepAliveTimeout: 65 * SECOND_MS, // longer than load balancers keep theirs
    return503OnClosing: false, // our own answer has the envelope
    http: {
      headersTimeout: 10 * SECOND_MS,
      connectionsCheckingInterval: SECOND_MS,
      requireHostHeader: false, // our own answer has the envelope
    },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: clientErrorHandler(defaultLanguage),
    frameworkErrors(error, request, reply) {
      arrive(request, reply)
      sendFailure(error, request, reply)
    },
  })
  server.server.maxConnections = CONNECTIONS_MAX
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  const arrive = prepareArrivals(server, options)
  answerServerEvents(server, defaultLanguage)
  const sendFailure = answerFailures(server, log)
  readJson(server)
  return server
}

type Served = { operations: Operations; context: Context; outbox: Outbox | undefined }

/** Registers everything that the server answers, and what it does not. */
export async function serve(
  server: FastifyInstance,
  { corsOrigins, departure, uploadsFolder }: ServerOptions,
  { operations, context, outbox }: Served,
): Promise<void> {
  const { document, ...files } = readDocument()
  if (corsOrigins.length > 0) await allowOrigins(server, corsOrigins)
  const routes = rememberRoutes(server)
  const spool = await openSpool(uploadsFolder)
  await serveOperations(server, document, { operations, context, spool })
  serveDocs(server, files)
  serveHealth(server, () => context.store.ping(), departure)
  if (outbox) serveOutbox(server, outbox, context)
  answerOtherMethods(server, routes)
}
