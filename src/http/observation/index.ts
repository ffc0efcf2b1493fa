import type { FastifyReply, FastifyRequest } from 'fastify'
import { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../contract/operation.ts'
import { redactPersonalData } from '../../lib/log.ts'
import type { Metrics, Observe } from '../../lib/metrics.ts'
import { addressOf } from '../request/client-address.ts'
import type { WriteAccessLine } from './access-line.ts'
import type { Guard } from './guard.ts'

/** Observes a request from the time of its headers to the end of its response. */
export type ObserveRequest = (request: FastifyRequest, reply: FastifyReply) => void

/** What the ends of requests are reported to. Each is undefined if it is turned off. */
type Observers = { metrics: Metrics | undefined; writeAccessLine: WriteAccessLine | undefined; guard: Guard }

/** A request that has arrived. The address of a client that has disconnected may be unknown later. */
type Started = Readonly<{ reply: FastifyReply; startMs: number; clientAddress: string | undefined }>

type Ended = Readonly<{ operation: string; method: string; status: number; errorCode: string | undefined }>

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** The status of a request whose client disconnected before the response, as nginx logs it */
const CLIENT_CLOSED_REQUEST = 499
const PATH_LENGTH_MAX = 200

/** Returns a function that observes requests; undefined if nothing is observed. */
export function observeRequests({ metrics, writeAccessLine, guard }: Observers): ObserveRequest | undefined {
  if (!metrics && !writeAccessLine) return undefined
  const count = metrics && requestMetrics(metrics)
  const countEnd = count && guard('metrics', count.end)
  const writeLine = writeAccessLine && guard('access_line', writeAccessLine)

  const end = guard('request', (request: FastifyRequest, { reply, startMs, clientAddress }: Started) => {
    const durationMs = performance.now() - startMs
    const { raw } = reply
    const operationId = request.routeOptions.config.operationId
    const status = raw.headersSent ? raw.statusCode : CLIENT_CLOSED_REQUEST
    const errorCode = reply.getHeader('error-code') as string | undefined // only the error handler sets it
    const { method } = request
    countEnd?.({ operation: operationId ?? nameRoute(request), method, status, errorCode }, durationMs)
    writeLine?.({
      method,
      url: findUrl(request, operationId),
      status,
      operationId,
      errorCode,
      durationMs: Math.round(durationMs * 10) / 10,
      requestId: request.id,
      clientAddress,
      aborted: raw.writableFinished ? undefined : true,
    })
  })
  return guard('request', (request, reply) => {
    const started = { reply, startMs: performance.now(), clientAddress: addressOf(request) }
    reply.raw.once('close', () => end(request, started))
    count?.start()
  })
}

/** Returns the operation in metrics of a route without one. Health checks have their paths. */
export function nameRoute({ is404, routeOptions: { url = '' } }: FastifyRequest): string {
  if (is404 || url === '') return 'unknown'
  return url.startsWith('/health/') ? url : 'other'
}

/** Returns the path as the document or the route has it: values in paths can be personal data or secrets. */
function findUrl({ is404, routeOptions, url }: FastifyRequest, operationId: OperationId | undefined): string {
  if (operationId) return bindings[operationId].path
  if (!is404 && routeOptions.url !== undefined) return routeOptions.url
  return redactPersonalData((url.split('?')[0] ?? '').slice(0, PATH_LENGTH_MAX))
}

function requestMetrics(metrics: Metrics): { start(): void; end(ended: Ended, durationMs: number): void } {
  const children = new Map<string, Observe>()
  let active = 0
  metrics.watch('http_server_active_requests', () => [{ labels: {}, value: active }])
  const childFor = (ended: Ended): Observe => {
    const { operation, method, status, errorCode = '' } = ended
    const key = `${operation} ${method} ${status} ${errorCode}`
    const known = children.get(key)
    if (known) return known
    const child = metrics.duration('http_server_request_duration_seconds', {
      operation,
      method: METHODS.has(method) ? method : '_OTHER',
      status: String(status),
      error_code: errorCode,
    })
    children.set(key, child)
    return child
  }
  return {
    start: () => active++,
    end(ended, durationMs) {
      active--
      childFor(ended)(durationMs / 1000)
    },
  }
}
