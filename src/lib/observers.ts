import type { Metrics } from './metrics.ts'
import type { Tracer } from './tracing.ts'

/** What the service reports its work to. Each is undefined if it is turned off. */
export type Observers = Readonly<{ metrics: Metrics | undefined; tracer: Tracer | undefined }>
