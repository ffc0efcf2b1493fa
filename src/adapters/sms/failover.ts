import type { SmsOutcome, SmsResult } from '../../domain/phones/sms.ts'
import type { Log } from '../../lib/log.ts'
import { NO_METRICS, type Metrics } from '../../lib/metrics.ts'
import { listAttempts, type ProviderOrder } from './attempts.ts'
import { SmsRefused, type Sms, type SmsMessage, type SmsProvider } from './index.ts'
import { NO_PAUSES, type ProviderPauses } from './pauses.ts'

/** The time for a message, over all providers */
const SEND_MS_MAX = 4000
/** Too little time to try another provider */
const TIME_LEFT_MS_MIN = 500

type Tried = { outcome: SmsOutcome; providerId?: string | undefined; error?: unknown }

/**
 * Tries providers in order: those of the requested channel, then those of SMS, unless the number may not receive SMS. A
 * message that may have been sent is not given to another provider.
 */
export function smsFailover(
  order: ProviderOrder,
  log: Log,
  metrics: Metrics = NO_METRICS,
  pauses: ProviderPauses = NO_PAUSES,
): Sms {
  return {
    async send({ to, network: _, speech, offered, ...content }): Promise<SmsResult> {
      const { callingCode } = to
      const { reference } = content
      const attempts = listAttempts(order, { callingCode, channel: content.channel, offered }, pauses)
      const endMs = performance.now() + SEND_MS_MAX
      for (const [index, { provider, channel }] of attempts.entries()) {
        const message = { ...content, to: to.e164, channel, ...(channel === 'voice' && speech) }
        const { outcome, providerId, error } = await tryProvider(provider, message, endMs - performance.now())
        const counted = outcome === 'taken' ? 'sent' : outcome
        const labels = { provider: provider.name, channel, calling_code: callingCode, outcome: counted }
        metrics.count('tawthiq_sms_messages_total', labels)
        if (outcome === 'taken') {
          log.debug({ provider: provider.name, channel, providerId, reference }, 'SMS provider accepted a message')
          return { outcome, provider: provider.name, providerId, channel }
        }
        const isLate = endMs - performance.now() < TIME_LEFT_MS_MIN
        const next = outcome === 'refused' && !isLate ? attempts[index + 1] : undefined
        const then = next && { next: next.provider.name, nextChannel: next.channel }
        const details = { provider: provider.name, channel, outcome, ...then, reference }
        log.warn({ ...details, err: error }, 'SMS provider did not accept a message')
        if (next === undefined)
          return outcome === 'unknown' ? { outcome, provider: provider.name, channel } : { outcome }
      }
      return { outcome: 'refused' }
    },
  }
}

async function tryProvider(provider: SmsProvider, message: SmsMessage, timeoutMs: number): Promise<Tried> {
  try {
    return { outcome: 'taken', providerId: await provider.send(message, timeoutMs) }
  } catch (error) {
    return { outcome: error instanceof SmsRefused ? 'refused' : 'unknown', error }
  }
}
