import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bearer } from '../domain/account.ts'
import { Failure } from '../domain/failure.ts'
import type { Slate } from '../domain/limit.ts'
import type { Language } from '../messages/index.ts'
import { languageChooser } from './language.ts'

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
  vary: 'Accept-Language',
  'x-content-type-options': 'nosniff',
}
const HSTS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Whether the service is leaving: what arrives from now on is told to go elsewhere. */
export type Departure = { isLeaving: boolean }

export type Arrival = (request: FastifyRequest, reply: FastifyReply) => void

/** Prepares what every request has, before anything about it is decided. */
export function prepareArrivals(
  server: FastifyInstance,
  options: { defaultLanguage: Language; isProduction: boolean; departure: Departure },
): Arrival {
  const chooseLanguage = languageChooser(options.defaultLanguage)
  const headers = options.isProduction ? { ...HEADERS, ...HSTS } : HEADERS
  server.decorateRequest('language', options.defaultLanguage)
  server.decorateRequest('slate', null as never) // set on arrival: an array here would be shared by all requests
  server.decorateRequest('bearer', null)

  const arrive: Arrival = (request, reply) => {
    request.language = chooseLanguage(request.headers['accept-language'])
    request.slate = []
    reply.headers(headers).header('x-request-id', request.id).header('content-language', request.language)
  }
  server.addHook('onRequest', (request, reply, done) => {
    arrive(request, reply)
    done(refusalOnArrival(request, reply, options.departure))
  })
  return arrive
}

function refusalOnArrival(
  { raw, headers, is404 }: FastifyRequest,
  reply: FastifyReply,
  departure: Departure,
): Failure | undefined {
  if (departure.isLeaving && !raw.url?.startsWith('/health/')) {
    reply.header('connection', 'close')
    return new Failure('shutting_down', { retryAfterSeconds: 1 })
  }
  const lacksHost = headers.host === undefined && raw.httpVersion !== '1.0'
  if (lacksHost || hasManyHosts(raw.rawHeaders)) return new Failure('malformed_request')
  return is404 ? new Failure('route_unknown') : undefined // whatever its body is
}

/** Two readers could take such a request for two different places (RFC 9112, 3.2). Names and values alternate. */
function hasManyHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
