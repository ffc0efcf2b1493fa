import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { LIMITS } from '../../generated/limits.ts'
import type { Bearer } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import type { Slate } from '../domain/limit.ts'
import type { Language } from '../messages/index.ts'
import type { Cors } from './cors.ts'
import type { LanguageChooser } from './language.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest {
    /** The language of the answer */
    language: Language
    slate: Slate
    bearer: Bearer | null
  }
}

/** What every answer carries, so that nobody stores it or makes more of it than it is. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
const HSTS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Whether the service is leaving: what arrives from now on is told to go elsewhere. */
export type Departure = { isLeaving: boolean }

type Headers = Record<string, string>

export type Arrival = (request: FastifyRequest, reply: FastifyReply) => void

/** What is known of a request before its route is */
export type Surroundings = {
  chooseLanguage: LanguageChooser
  cors: Cors
  isProduction: boolean
  departure: Departure
  /** Whether the last response of the connection was sent already */
  isClosing(request: IncomingMessage): boolean
}

/** Returns the headers of every response that do not depend on the request. */
export function fixedHeaders({ cors, isProduction }: Pick<Surroundings, 'cors' | 'isProduction'>): Headers {
  return { ...HEADERS, ...(isProduction && HSTS), vary: ['Accept-Language', ...cors.vary].join(', ') }
}

/** Prepares what every request has, before anything about it is decided. */
export function prepareArrivals(server: FastifyInstance, surroundings: Surroundings): Arrival {
  const { chooseLanguage, cors, isClosing, departure } = surroundings
  const headers = fixedHeaders(surroundings)
  server.decorateRequest('language', chooseLanguage(undefined))
  server.decorateRequest('slate', null as never) // set on arrival: an array here would be shared by all requests
  server.decorateRequest('bearer', null)

  const arrive: Arrival = (request, reply) => {
    request.language = chooseLanguage(request.headers['accept-language'])
    request.slate = []
    reply.headers(headers).header('x-request-id', request.id).header('content-language', request.language)
    if (request.headers.origin !== undefined) reply.headers(cors.headersFor(request.headers.origin))
  }
  server.addHook('onRequest', (request, reply, done) => {
    if (isClosing(request.raw)) {
      reply.hijack() // RFC 9112, 9.6: nothing that comes after the last response is served
      return
    }
    arrive(request, reply)
    const allowed = request.method === 'OPTIONS' ? cors.preflight(request) : undefined
    const refusal = refusalOfHead(request) ?? (allowed ? undefined : refusalOnArrival(request, reply, departure))
    if (refusal || !allowed) done(refusal)
    else void reply.code(204).headers(allowed).send()
  })
  return arrive
}

/** Returns why a request is rejected whatever its path; undefined if it is not. */
export function refusalOfHead({ raw, headers }: FastifyRequest): Failure | undefined {
  if (raw.rawHeaders.length > 2 * LIMITS.headers.max) return new Failure('headers_too_large') // names and values
  const lacksHost = headers.host === undefined && raw.httpVersion !== '1.0'
  return lacksHost || repeatsHeader(raw.rawHeaders) ? new Failure('malformed_request') : undefined
}

function refusalOnArrival(
  { raw, is404 }: FastifyRequest,
  reply: FastifyReply,
  departure: Departure,
): Failure | undefined {
  if (departure.isLeaving && !raw.url?.startsWith('/health/')) {
    reply.header('connection', 'close')
    return new Failure('shutting_down', { retryAfterSeconds: 1 })
  }
  return is404 ? new Failure('route_unknown') : undefined // whatever its body is
}

/**
 * Two servers could read such a request differently: Node takes the first of several such headers, and others the last
 * (RFC 9112, 3.2; RFC 9110, 5.3). Names and values alternate.
 */
function repeatsHeader(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name?.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  return hosts > 1 || authorizations > 1
}
