import type { SmsOutcome, SmsResult } from '../../domain/phones/sms.ts'
import type { Log } from '../../lib/log.ts'
import { NO_METRICS, type Metrics } from '../../lib/metrics.ts'
import { SmsRefused, type Sms, type SmsMessage, type SmsProvider } from './index.ts'
import { NO_PAUSES, type ProviderPauses } from './pauses.ts'

/** The time for a message, over all providers */
const SEND_MS_MAX = 4000
/** Too little time to try another provider */
const TIME_LEFT_MS_MIN = 500

/** The providers in the order in which they are tried. */
export type ProviderOrder = Readonly<{
  default: readonly SmsProvider[]
  /** By calling code, for countries with an order of their own */
  byCountry?: ReadonlyMap<string, readonly SmsProvider[]>
}>

type Attempt = { outcome: SmsOutcome; providerId?: string | undefined; error?: unknown }

/** Tries providers in order. A message that may have been sent is not given to another provider. */
export function smsFailover(
  order: ProviderOrder,
  log: Log,
  metrics: Metrics = NO_METRICS,
  pauses: ProviderPauses = NO_PAUSES,
): Sms {
  return {
    async send({ to, network: _, ...content }): Promise<SmsResult> {
      const configured = order.byCountry?.get(to.callingCode) ?? order.default
      const providers = pauses.order(configured, { channel: content.channel, callingCode: to.callingCode })
      const message = { to: to.e164, ...content }
      const { reference, channel } = content
      const endMs = performance.now() + SEND_MS_MAX
      for (const [index, provider] of providers.entries()) {
        const { outcome, providerId, error } = await tryProvider(provider, message, endMs - performance.now())
        const counted = outcome === 'taken' ? 'sent' : outcome
        metrics.count('tawthiq_sms_messages_total', {
          provider: provider.name,
          calling_code: to.callingCode,
          outcome: counted,
        })
        if (outcome === 'taken') {
          log.debug({ provider: provider.name, providerId, reference }, 'SMS provider accepted a message')
          return { outcome, provider: provider.name, providerId, channel }
        }
        const isLate = endMs - performance.now() < TIME_LEFT_MS_MIN
        const next = outcome === 'refused' && !isLate ? providers[index + 1]?.name : undefined
        const details = { provider: provider.name, outcome, next, reference }
        log.warn({ ...details, err: error }, 'SMS provider did not accept a message')
        if (next === undefined)
          return outcome === 'unknown' ? { outcome, provider: provider.name, channel } : { outcome }
      }
      return { outcome: 'refused' }
    },
  }
}

async function tryProvider(provider: SmsProvider, message: SmsMessage, timeoutMs: number): Promise<Attempt> {
  try {
    return { outcome: 'taken', providerId: await provider.send(message, timeoutMs) }
  } catch (error) {
    return { outcome: error instanceof SmsRefused ? 'refused' : 'unknown', error }
  }
}
