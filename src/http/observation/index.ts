import type { FastifyReply, FastifyRequest } from 'fastify'
import { bindings } from '../../../generated/operations.ts'
import { redactPersonalData } from '../../lib/log.ts'
import type { Metrics, Observe } from '../../lib/metrics.ts'
import { addressOf } from '../request/client-address.ts'
import { QUERY_START } from '../request/query-parameters.ts'
import type { AccessLines, Outcome } from './access-line.ts'
import type { Guard } from './guard.ts'

/** Observes a request from the time of its headers to the end of its response. */
export type ObserveRequest = (request: FastifyRequest, reply: FastifyReply) => void

/** What the ends of requests are reported to. Each is undefined if it is turned off. */
type Observers = { metrics: Metrics | undefined; accessLines: AccessLines | undefined; guard: Guard }

/** A request that has arrived. The address of a client that has disconnected may be unknown later. */
type Started = Readonly<{ reply: FastifyReply; startMs: number; clientAddress: string | undefined }>

/** What the ends of requests with an outcome are reported to */
type Reporter = Readonly<{
  observe: Observe | undefined
  writeLine: ReturnType<AccessLines> | undefined
  /** Whether no part has failed to be created */
  isWhole: boolean
}>

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** The status of a request whose client disconnected before the response, as nginx logs it */
const CLIENT_CLOSED_REQUEST = 499
const PATH_LENGTH_MAX = 200

/** Returns a function that observes requests; undefined if nothing is observed. */
export function observeRequests({ metrics, accessLines, guard }: Observers): ObserveRequest | undefined {
  if (!metrics && !accessLines) return undefined
  let active = 0
  metrics?.watch('http_server_active_requests', () => [{ labels: {}, value: active }])
  const durationsOf = metrics && guard('metrics', requestDurations(metrics))
  const linesOf = accessLines && guard('access_line', accessLines)
  const reporterOf = rememberReporters((outcome, operation) => {
    const [observe, writeLine] = [durationsOf?.(outcome, operation), linesOf?.(outcome)]
    return {
      observe: observe && guard('metrics', observe),
      writeLine: writeLine && guard('access_line', writeLine),
      isWhole: !observe === !durationsOf && !writeLine === !linesOf,
    }
  })

  const end = guard('request', (request: FastifyRequest, { reply, startMs, clientAddress }: Started) => {
    active--
    const durationMs = performance.now() - startMs
    const { raw } = reply
    const status = raw.headersSent ? raw.statusCode : CLIENT_CLOSED_REQUEST
    const errorCode = reply.getHeader('error-code') as string | undefined // only the error handler sets it
    const { observe, writeLine } = reporterOf(request, status, errorCode)
    observe?.(durationMs / 1000)
    writeLine?.({
      durationMs: Math.round(durationMs * 10) / 10,
      requestId: request.id,
      clientAddress,
      aborted: raw.writableFinished ? undefined : true,
    })
  })
  return guard('request', (request, reply) => {
    const started = { reply, startMs: performance.now(), clientAddress: addressOf(request) }
    reply.raw.on('close', () => end(request, started)) // which is emitted once
    active++
  })
}

/** Returns a function that finds the reporter of a request. Those of operations are remembered, by route and outcome. */
function rememberReporters(
  report: (outcome: Outcome, operation: string) => Reporter,
): (request: FastifyRequest, status: number, errorCode: string | undefined) => Reporter {
  const known = new WeakMap<object, Map<string | number, Reporter>>()
  return (request, status, errorCode) => {
    const { config } = request.routeOptions
    const { operationId } = config
    const key = errorCode === undefined ? status : `${status} ${errorCode}`
    const remembered = known.get(config)?.get(key)
    if (remembered) return remembered
    const url = operationId ? bindings[operationId].path : findUrl(request)
    const outcome = { method: request.method, url, status, operationId, errorCode }
    const reporter = report(outcome, operationId ?? nameRoute(request))
    if (operationId && reporter.isWhole)
      known.set(config, (known.get(config) ?? new Map<string | number, Reporter>()).set(key, reporter))
    return reporter
  }
}

/** Returns the operation in metrics of a route without one. Health checks have their paths. */
export function nameRoute({ is404, routeOptions: { url = '' } }: FastifyRequest): string {
  if (is404 || url === '') return 'unknown'
  return url.startsWith('/health/') ? url : 'other'
}

/** Returns the path as the route has it: values in paths can be personal data or secrets. */
function findUrl({ is404, routeOptions, url }: FastifyRequest): string {
  if (!is404 && routeOptions.url !== undefined) return routeOptions.url
  return redactPersonalData((url.split(QUERY_START)[0] ?? '').slice(0, PATH_LENGTH_MAX))
}

function requestDurations(metrics: Metrics): (outcome: Outcome, operation: string) => Observe {
  return ({ method, status, errorCode = '' }, operation) =>
    metrics.duration('http_server_request_duration_seconds', {
      operation,
      method: METHODS.has(method) ? method : '_OTHER',
      status: String(status),
      error_code: errorCode,
    })
}
