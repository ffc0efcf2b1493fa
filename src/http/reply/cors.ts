import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { bindings } from '../../../generated/operations.ts'

/** Response headers that scripts may read, beside those that browsers always show */
const EXPOSED_HEADERS = [
  'Accept',
  'Code-Channel',
  'Content-Disposition',
  'Content-Language',
  'Deprecation',
  'Error-Code',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Mfa-Methods',
  'Offered-Channels',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
].join(', ')
const METHODS = [...new Set(['HEAD', ...Object.values(bindings).map(({ method }) => method)])].sort().join(', ')
const PREFLIGHT_SECONDS = '600'
const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/

export type CorsOptions = {
  /** Origins whose pages may call the service */
  corsOrigins: readonly string[]
  /** Whether every origin on this machine may as well */
  allowsLocalOrigins: boolean
}

type Headers = Record<string, string>

export type Cors = {
  /** The request headers that responses depend on because of their origin */
  vary: readonly string[]
  /** Headers that let a page of this origin read the response; none if it may not. */
  headersFor(origin: string | undefined): Headers
  /** Headers of the response to a preflight request of an allowed origin; undefined for every other request. */
  preflight(request: Pick<IncomingMessage, 'method' | 'headers'>): Headers | undefined
}

/**
 * Lets pages of other origins call the service. Every response needs these headers, even those that bypass Fastify: without
 * them a script cannot read the status of an error.
 */
export function corsFor({ corsOrigins, allowsLocalOrigins }: CorsOptions): Cors {
  const origins = new Set(corsOrigins.map((origin) => new URL(origin).origin))
  const isAllowed = (origin: string): boolean =>
    origins.has(origin) || (allowsLocalOrigins && LOCAL_ORIGIN.test(origin))
  const headersFor: Cors['headersFor'] = (origin) =>
    origin !== undefined && isAllowed(origin)
      ? { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS }
      : {}

  return {
    vary: origins.size > 0 || allowsLocalOrigins ? ['Origin'] : [],
    headersFor,
    preflight({ method, headers }) {
      if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined
      return headers.origin !== undefined && isAllowed(headers.origin) ? preflightHeaders(headers) : undefined
    },
  }
}

/** Equal for every path, so that a page can read a 404 or 405. */
function preflightHeaders(headers: IncomingHttpHeaders): Headers {
  const names = headers['access-control-request-headers']
  return {
    'access-control-allow-methods': METHODS,
    ...(names !== undefined && { 'access-control-allow-headers': names }),
    'access-control-max-age': PREFLIGHT_SECONDS,
  }
}
