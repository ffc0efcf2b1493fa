import type { FastifyReply, FastifyRequest } from 'fastify'
import { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../contract/operation.ts'
import { redactPersonalData } from '../../lib/log.ts'
import type { Metrics, Observe } from '../../lib/metrics.ts'
import type { WriteAccessLine } from './access-line.ts'

/** Observes a request from the time of its headers to the end of its response. */
export type ObserveRequest = (request: FastifyRequest, reply: FastifyReply) => void

/** What the ends of requests are reported to. Each is undefined if it is turned off. */
type Observers = { metrics: Metrics | undefined; writeAccessLine: WriteAccessLine | undefined }

type Ended = Readonly<{ operation: string; method: string; status: number; errorCode: string | undefined }>

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** The status of a request whose client disconnected before the response, as nginx logs it */
const CLIENT_CLOSED_REQUEST = 499
const PATH_LENGTH_MAX = 200

/** Returns a function that observes requests; undefined if nothing is observed. */
export function observeRequests({ metrics, writeAccessLine }: Observers): ObserveRequest | undefined {
  if (!metrics && !writeAccessLine) return undefined
  const count = metrics && requestMetrics(metrics)

  return (request, reply) => {
    const startMs = performance.now()
    const { raw } = reply
    count?.start()
    raw.on('close', () => {
      const durationMs = performance.now() - startMs
      const operationId = request.routeOptions.config.operationId
      const status = raw.headersSent ? raw.statusCode : CLIENT_CLOSED_REQUEST
      const errorCode = reply.getHeader('error-code') as string | undefined // only the error handler sets it
      count?.end(
        { operation: operationId ?? nameRoute(request), method: request.method, status, errorCode },
        durationMs,
      )
      writeAccessLine?.({
        method: request.method,
        url: findUrl(request, operationId),
        status,
        operationId,
        errorCode,
        durationMs: Math.round(durationMs * 10) / 10,
        requestId: request.id,
        clientAddress: request.ip,
        aborted: raw.writableFinished ? undefined : true,
      })
    })
  }
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
    const labels = {
      operation,
      method: METHODS.has(method) ? method : '_OTHER',
      status: String(status),
      error_code: errorCode,
    }
    const child = metrics.duration('http_server_request_duration_seconds', labels)
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
