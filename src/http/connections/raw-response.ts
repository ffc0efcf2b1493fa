import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure, type ErrorCode, type Hints } from '../../domain/failure.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Guard } from '../observation/guard.ts'
import { fixedHeaders, type RequestDependencies } from '../request/request-context.ts'
import { buildErrorResponse } from '../reply/envelope.ts'

type RawResponse = { status: number; headers: Record<string, string>; body: string }

/** Makes error responses without Fastify. The request is undefined if its head was not parsed. */
export type RawResponses = (code: ErrorCode, request?: IncomingMessage, hints?: Hints) => RawResponse

/** Node's name for the response that a socket is bound to */
export type Bound = Socket & { _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null }

type Dependencies = Pick<RequestDependencies, 'chooseLanguage' | 'cors' | 'isProduction'>

export function rawResponses({ chooseLanguage, cors, isProduction }: Dependencies): RawResponses {
  const fixed = fixedHeaders({ cors, isProduction })

  return (code, request, hints) => {
    const language = chooseLanguage(request?.headers['accept-language'])
    const { body: envelope, headers } = buildErrorResponse(new Failure(code, { hints }), language)
    const status = envelope.code
    const body = JSON.stringify(envelope)
    const own = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': randomUUID(),
      connection: 'close',
      ...(status === 405 && { allow: '' }),
    }
    return { status, headers: { ...fixed, ...cors.headersFor(request?.headers.origin), ...headers, ...own }, body }
  }
}

/** Counts the responses that are made, because no other part sees their requests. */
export function countUnparsed(make: RawResponses, metrics: Metrics | undefined, guard: Guard): RawResponses {
  if (!metrics) return make
  const count = guard('metrics', (code: ErrorCode) => {
    metrics.count('tawthiq_http_unparsed_requests_total', { error_code: code })
  })
  return (code, ...about) => {
    count(code)
    return make(code, ...about)
  }
}

/** Formats a response as HTTP/1.1. */
export function toBytes({ status, headers, body }: RawResponse): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}
