import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import type { Language } from '../../messages/index.ts'
import type { ObserveRequest } from '../observation/index.ts'
import type { Cors } from '../reply/cors.ts'
import type { ExplainUnrouted } from '../reply/method-not-allowed.ts'
import type { LanguageChooser } from './language.ts'
import type { RateLimits } from './rate-limiter.ts'
import { maskAddress } from '../../domain/text.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest {
    /** The language of the response */
    language: Language
    rateLimits: RateLimits
    bearer: Bearer | null
  }
}

/** Headers of every response: it is not cached, and browsers neither guess its type nor run anything in it. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
const HSTS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Shared by the application and its server. */
export type ShutdownState = {
  /** Whether the service reports that it is not ready. Requests are still served. */
  isShuttingDown: boolean
  /** Whether the time for running requests has ended: requests get 503 `shutting_down`. */
  isOver: boolean
}

type Headers = Record<string, string>

type InitializeRequest = (request: FastifyRequest, reply: FastifyReply) => void

export type RequestDependencies = {
  chooseLanguage: LanguageChooser
  cors: Cors
  isProduction: boolean
  shutdown: ShutdownState
  /** Whether the last response of the connection was sent already */
  isClosing(request: IncomingMessage): boolean
  explainUnrouted: ExplainUnrouted
  observe: ObserveRequest | undefined
}

/** Returns the headers of every response that do not depend on the request. */
export function fixedHeaders({ cors, isProduction }: Pick<RequestDependencies, 'cors' | 'isProduction'>): Headers {
  return { ...HEADERS, ...(isProduction && HSTS), vary: ['Accept-Language', ...cors.vary].join(', ') }
}

/** Gives every request its language, its rate limits and the fixed headers of its response, before it is routed. */
export function addRequestContext(server: FastifyInstance, dependencies: RequestDependencies): InitializeRequest {
  const { chooseLanguage, cors, isClosing, observe } = dependencies
  const headers = fixedHeaders(dependencies)
  server.decorateRequest('language', chooseLanguage(undefined))
  server.decorateRequest('rateLimits', null as never) // set for each request: a map here would be shared by all requests
  server.decorateRequest('bearer', null)

  const initialize: InitializeRequest = (request, reply) => {
    request.language = chooseLanguage(request.headers['accept-language'])
    request.rateLimits = new Map()
    observe?.(request, reply)
    reply.headers(headers).header('x-request-id', request.id).header('content-language', request.language)
    if (request.headers.origin !== undefined) reply.headers(cors.headersFor(request.headers.origin))
  }
  server.addHook('onRequest', (request, reply, done) => {
    if (isClosing(request.raw)) {
      reply.hijack() // RFC 9112, 9.6: no request after the last response is served
      return
    }
    initialize(request, reply)
    const allowed = request.method === 'OPTIONS' ? cors.preflight(request) : undefined
    const refusal = checkHead(request) ?? (allowed ? undefined : checkAvailability(request, reply, dependencies))
    if (refusal || !allowed) done(refusal)
    else void reply.code(204).headers(allowed).send()
  })
  return initialize
}

/** Returns why a request is rejected whatever its path; undefined if it is not. */
export function checkHead({ raw, headers }: FastifyRequest): Failure | undefined {
  if (raw.rawHeaders.length > 2 * LIMITS.headers.max) return new Failure('headers_too_large') // names and values
  // Node.js decodes no other coding: it would read a compressed body as it is (RFC 9112, 6.1).
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return new Failure('malformed_request')
  const lacksHost = headers.host === undefined && raw.httpVersion !== '1.0'
  const header = lacksHost ? 'Host' : repeatedHeader(raw.rawHeaders)
  return header ? new Failure('malformed_request', { hints: { header } }) : undefined
}

function checkAvailability(
  { raw, is404 }: FastifyRequest,
  reply: FastifyReply,
  { shutdown, explainUnrouted }: Pick<RequestDependencies, 'shutdown' | 'explainUnrouted'>,
): Failure | undefined {
  if (shutdown.isOver) {
    reply.header('connection', 'close')
    return new Failure('shutting_down', { retryAfterSeconds: 1 })
  }
  return is404 ? explainUnrouted(raw, reply) : undefined // whatever its body has
}

/**
 * Two servers could read such a request differently: Node takes the first of several such headers, and others the last
 * (RFC 9112, 3.2; RFC 9110, 5.3). Names and values alternate.
 */
function repeatedHeader(rawHeaders: readonly string[]): 'Host' | 'Authorization' | undefined {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name?.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  if (hosts > 1) return 'Host'
  return authorizations > 1 ? 'Authorization' : undefined
}

/** The format that the document declares for `X-Request-Id` */
const WELL_FORMED = /^[\w-]{1,36}$/

/** Returns whether a request comes from a trusted proxy. */
export type Trusts = (request: IncomingMessage) => boolean

/** Returns a function that chooses the id of a request: that of a trusted proxy if it is well-formed, or a new one. */
export function requestIds(trusts: Trusts): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers['x-request-id']
    return typeof given === 'string' && WELL_FORMED.test(given) && trusts(request) ? given : randomUUID()
  }
}

/** The fields of log lines that have the address of a client. That of access lines is masked where they are built. */
const FIELDS = ['address', 'network']

/** Returns a log that masks client addresses like access lines, whatever is logged. */
export function maskedLog(log: Logger, { showsClientAddress }: { showsClientAddress: boolean }): Logger {
  const mask = (value: unknown): unknown => (typeof value === 'string' ? maskAddress(value) : value)
  return showsClientAddress
    ? log
    : log.child({}, { serializers: Object.fromEntries(FIELDS.map((field) => [field, mask])) })
}

/** Returns a signal that aborts when the client disconnects before it has the whole response. */
export function abandonedSignal(response: ServerResponse): AbortSignal {
  const disconnecting = new AbortController()
  const abort = (): void => {
    if (!response.writableFinished) disconnecting.abort()
  }
  if (response.closed) abort()
  else response.once('close', abort)
  return disconnecting.signal
}
