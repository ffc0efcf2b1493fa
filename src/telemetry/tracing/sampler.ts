import { createContextKey, type Context } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '../../config/telemetry/tracing.ts'

/** Set in the context of a request whose sender does not decide whether its trace is recorded */
const IS_UNTRUSTED = createContextKey('trace of an untrusted sender')

export function markUntrusted(context: Context): Context {
  return context.setValue(IS_UNTRUSTED, true)
}

/**
 * Creates the sampler of the configuration. The traces of untrusted senders are sampled like new ones: otherwise anyone
 * could have all of their requests recorded.
 */
export function createSampler({ sampler, ratio }: Pick<TracingConfig, 'sampler' | 'ratio'>): Sampler {
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
