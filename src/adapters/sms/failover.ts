import { CHANNELS, type SmsOutcome, type SmsResult, type Channel } from '../../domain/phones/sms.ts'
import type { Log } from '../../lib/log.ts'
import { NO_METRICS, type Metrics } from '../../lib/metrics.ts'
import { SmsRefused, type OutgoingSms, type Sms, type SmsProvider } from './index.ts'
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
      const attempts = listAttempts(order, { to, channel: content.channel, offered }, pauses)
      const endMs = performance.now() + SEND_MS_MAX
      for (const [index, { provider, channel }] of attempts.entries()) {
        const message = { ...content, to: to.e164, channel, ...(channel === 'voice' && speech) }
        const { outcome, providerId, error } = await provider.send(message, endMs - performance.now()).then(
          (id): Tried => ({ outcome: 'taken', providerId: id }),
          (cause: unknown): Tried => ({ outcome: cause instanceof SmsRefused ? 'refused' : 'unknown', error: cause }),
        )
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

/** The providers in the order in which they are tried. */
export type ProviderOrder = Readonly<{
  default: readonly SmsProvider[]
  /** By calling code, for countries with an order of their own */
  byCountry?: ReadonlyMap<string, readonly SmsProvider[]>
}>

type Attempt = Readonly<{ provider: SmsProvider; channel: Channel }>

/**
 * Lists the providers of a channel, in order, and after them those of SMS, which reaches every mobile phone, if the number may
 * receive SMS. Providers whose messages do not arrive are last, so another channel may be used first.
 */
function listAttempts(
  order: ProviderOrder,
  { to: { callingCode }, channel, offered = CHANNELS }: Pick<OutgoingSms, 'to' | 'channel' | 'offered'>,
  pauses: ProviderPauses,
): readonly Attempt[] {
  const providers = order.byCountry?.get(callingCode) ?? order.default
  const channels = channel !== 'sms' && offered.includes('sms') ? ([channel, 'sms'] as const) : ([channel] as const)
  const attempts = channels.flatMap((each) =>
    providers.filter((provider) => sendsBy(provider, each)).map((provider) => ({ provider, channel: each })),
  )
  return pauses.order(attempts, callingCode)
}

/** Returns a function that lists the channels by which numbers of a calling code can get messages. */
export function listOfferedChannels(order: ProviderOrder): (callingCode: string) => readonly Channel[] {
  const list = (providers: readonly SmsProvider[]): readonly Channel[] =>
    CHANNELS.filter((channel) => providers.some((provider) => sendsBy(provider, channel)))
  const ofOthers = list(order.default)
  const byCountry = new Map([...(order.byCountry ?? [])].map(([code, providers]) => [code, list(providers)]))
  return (callingCode) => byCountry.get(callingCode) ?? ofOthers
}

function sendsBy({ channels }: SmsProvider, channel: Channel): boolean {
  return channels ? channels.has(channel) : channel === 'sms'
}
