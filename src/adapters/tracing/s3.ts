import type { NodeHttpHandler } from '@smithy/node-http-handler'
import type { TraceHeaders } from '../../lib/tracing.ts'

/** Adds headers that continue the current trace to each request, after it was signed: a proxy may replace them. */
export function withTraceHeaders(
  handler: NodeHttpHandler,
  traceHeaders: (() => TraceHeaders) | undefined,
): NodeHttpHandler {
  if (!traceHeaders) return handler
  const handle = handler.handle.bind(handler)
  handler.handle = (request, options) => {
    Object.assign(request.headers, traceHeaders())
    return handle(request, options)
  }
  return handler
}
