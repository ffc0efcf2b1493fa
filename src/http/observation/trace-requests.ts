import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindings } from '../../../generated/operations.ts'
import type { Attributes, RequestSpan, Tracer } from '../../lib/tracing.ts'
import type { Guard } from './guard.ts'
import { nameRoute } from './index.ts'
import type { Trusts } from '../request/request-context.ts'

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest {
    /** Set while tracing is on */
    span: RequestSpan | null
  }
}

/**
 * Runs each request in a span of its own. Hooks before the body and the handler run in it separately, because parsers of
 * bodies end in the context of the connection.
 */
export function traceRequests(
  server: FastifyInstance,
  tracer: Tracer,
  { trusts, guard }: { trusts: Trusts; guard: Guard },
): void {
  server.decorateRequest('span', null)
  const start = guard('trace', ({ headers, raw }: FastifyRequest) => tracer.startRequest(headers, trusts(raw)))
  const end = guard('trace', (span: RequestSpan, request: FastifyRequest, reply: FastifyReply) => {
    const { name, attributes } = describe(request, reply)
    span.end(name, attributes, reply.statusCode >= 500)
  })
  server.addHook('onRequest', (request, reply, done) => {
    const span = start(request)
    if (!span) {
      done()
      return
    }
    request.span = span
    reply.raw.once('close', () => end(span, request, reply))
    span.run(done)
  })
  server.addHook('preHandler', ({ span }, _reply, done) => {
    if (span) span.run(done)
    else done()
  })
}

/** Describes a request by the semantic conventions of OpenTelemetry. The path is left out, as it can be personal. */
function describe(request: FastifyRequest, reply: FastifyReply): { name: string; attributes: Attributes } {
  const { method, id, routeOptions } = request
  const { operationId } = routeOptions.config
  const route = operationId ? bindings[operationId].path : routeOptions.url
  const errorCode = reply.getHeader('error-code')
  return {
    name: route === undefined ? method : `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'http.response.status_code': reply.statusCode,
      ...(errorCode !== undefined && { 'error.type': String(errorCode) }),
      'url.scheme': request.protocol,
      'tawthiq.operation': operationId ?? nameRoute(request),
      'tawthiq.request_id': id,
    },
  }
}
