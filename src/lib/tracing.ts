// Distributed tracing, as the rest of the service sees it. Without it, there is no tracer, and nothing is called.

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Headers that continue a trace in another service (W3C Trace Context) */
export type TraceHeaders = Readonly<Record<string, string>>

export type SpanOptions<Result = unknown> = Readonly<{
  attributes?: Attributes
  /** The `traceparent` of the span that this one continues, for work that was stored; null starts a new trace */
  parent?: string | null
  /** Returns why a result counts as an error; undefined if it does not */
  errorType?: (result: Result) => string | undefined
}>

export type RequestSpan = Readonly<{
  /** Runs work whose spans become children of this one. */
  run(work: () => void): void
  end(name: string, attributes: Attributes, isFault: boolean): void
}>

export type Tracer = {
  /**
   * Runs a call to another system in a span. Without a current span and without `parent` the call runs untraced, so that
   * periodic work causes no traces.
   */
  trace<Result>(name: string, options: SpanOptions<Result>, call: () => Promise<Result>): Promise<Result>
  /** Runs stored work, whose spans continue the trace of its `traceparent`. */
  resume(parent: string, work: () => Promise<void>): Promise<void>
  /** @param isTrusted whether the sender decides if the trace is recorded */
  startRequest(headers: Readonly<Record<string, string | string[] | undefined>>, isTrusted: boolean): RequestSpan
  headers(): TraceHeaders
  /** Sends all finished spans. */
  close(): Promise<void>
}

/** Runs stored work in the trace of its `traceparent`, or untraced without one. */
export function resumeTrace(
  tracer: Tracer | undefined,
  parent: string | null,
  work: () => Promise<void>,
): Promise<void> {
  return tracer && parent !== null ? tracer.resume(parent, work) : work()
}

/** Returns the `traceparent` of the current span; undefined without one. */
export function currentTraceparent(tracer: Tracer | undefined): string | undefined {
  return tracer?.headers()['traceparent']
}
