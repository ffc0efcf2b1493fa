import {
  createContextKey,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { TracingConfig } from '../../config/telemetry/tracing.ts'
import type { SpanOptions, Tracer } from '../../lib/tracing.ts'

const CLOSE_MS_MAX = 3000
const TEXT_LENGTH_MAX = 2000

/** Sends spans to an OTLP receiver. Registers nothing globally: an instance has its own tracer and context. */
export function openTracer(config: TracingConfig, version: string): Tracer {
  const provider = createProvider(config, version)
  const tracer = provider.getTracer('tawthiq', version)
  const current = new AsyncLocalStorage<Context>()
  const findParent = (parent: string | null | undefined): Context | undefined => {
    if (parent === undefined) return current.getStore()
    return parent === null ? ROOT_CONTEXT : extract({ traceparent: parent })
  }
  return {
    async trace(name, { attributes = {}, parent, errorType }, call) {
      const context = findParent(parent)
      if (!context) return call()
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context)
      const running = current.run(spans.setSpan(context, span), call)
      return endWith(span, running, errorType)
    },
    resume: (parent, work) => current.run(extract({ traceparent: parent }), work),
    startRequest(headers, isTrusted) {
      const remote = extract(headers)
      const span = tracer.startSpan(
        'request',
        { kind: SpanKind.SERVER },
        isTrusted ? remote : remote.setValue(IS_UNTRUSTED, true),
      )
      const own = spans.setSpan(ROOT_CONTEXT, span)
      return {
        run: (work) => current.run(own, work),
        end(name, attributes, isFault) {
          span.updateName(name)
          span.setAttributes({ ...attributes })
          if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    headers() {
      const carrier: Record<string, string> = {}
      const context = current.getStore()
      if (context) propagator.inject(context, carrier, defaultTextMapSetter)
      return carrier
    },
    async close() {
      await provider.forceFlush({ timeoutMillis: CLOSE_MS_MAX }).catch(() => undefined) // the receiver is unavailable
      void provider.shutdown().catch(() => undefined)
    },
  }
}

const propagator = new W3CTraceContextPropagator()

function extract(carrier: object): Context {
  return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
}

function createProvider(config: TracingConfig, version: string): TracerProvider {
  const { url, protocol, headers, serviceName, attributes } = config
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter
  const exporter = new Exporter({ url, headers: { ...headers } })
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version, ...attributes }),
    sampler: createSampler(config),
    spanLimits: { attributeValueLengthLimit: TEXT_LENGTH_MAX },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
}

async function endWith<Result>(
  span: Span,
  running: Promise<Result>,
  errorType: SpanOptions<Result>['errorType'],
): Promise<Result> {
  try {
    const result = await running
    const type = errorType?.(result)
    if (type !== undefined) fail(span, type)
    return result
  } catch (error) {
    fail(span, typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

function fail(span: Span, type: string): void {
  span.setAttributes({ 'error.type': type })
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Returns the kind of an error, not its message, which can contain personal data. */
function typeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (typeof code === 'string') return code
  return error instanceof Error ? error.name : 'unknown'
}

/** Set in the context of a request whose sender does not decide whether its trace is recorded */
const IS_UNTRUSTED = createContextKey('trace of an untrusted sender')

/**
 * Creates the sampler of the configuration. The traces of untrusted senders are sampled like new ones: otherwise anyone
 * could have all of their requests recorded.
 */
function createSampler({ sampler, ratio }: Pick<TracingConfig, 'sampler' | 'ratio'>): Sampler {
  const root = createRoot(sampler.replace(/^parentbased_/, ''), ratio)
  if (!sampler.startsWith('parentbased_')) return root
  const byParent = new ParentBasedSampler({ root })
  return {
    shouldSample(context, ...rest) {
      return (context.getValue(IS_UNTRUSTED) === true ? root : byParent).shouldSample(context, ...rest)
    },
    toString: () => sampler,
  }
}

function createRoot(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}
