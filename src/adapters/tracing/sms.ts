import type { Tracer } from '../../lib/tracing.ts'
import type { SmsProvider } from '../sms/index.ts'

/** Traces messages to a provider, without their numbers and texts. */
export function tracedProvider(provider: SmsProvider, tracer: Tracer | undefined): SmsProvider {
  if (!tracer) return provider
  const attributes = { 'tawthiq.sms.provider': provider.name }
  return {
    ...provider,
    send: (...message) => tracer.trace('SMS send', { attributes }, () => provider.send(...message)),
  }
}
