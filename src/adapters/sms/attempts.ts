import { CHANNELS, type Channel } from '../../domain/phones/sms.ts'
import type { SmsProvider } from './index.ts'
import type { ProviderPauses } from './pauses.ts'

/** The providers in the order in which they are tried. */
export type ProviderOrder = Readonly<{
  default: readonly SmsProvider[]
  /** By calling code, for countries with an order of their own */
  byCountry?: ReadonlyMap<string, readonly SmsProvider[]>
}>

type Requested = Readonly<{ callingCode: string; channel: Channel }>

/** A provider to try, and the channel that it is to use */
export type Attempt = Readonly<{ provider: SmsProvider; channel: Channel }>

/**
 * Lists the providers of a channel, in order, and after them those of SMS, which reaches every mobile phone, if the number may
 * receive SMS. Providers whose messages do not arrive are last, so another channel may be used first.
 */
export function listAttempts(
  order: ProviderOrder,
  { callingCode, channel, offered = CHANNELS }: Requested & { offered?: readonly Channel[] | undefined },
  pauses: ProviderPauses,
): readonly Attempt[] {
  const providers = providersFor(order, callingCode)
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

function providersFor(order: ProviderOrder, callingCode: string): readonly SmsProvider[] {
  return order.byCountry?.get(callingCode) ?? order.default
}

function sendsBy({ channels }: SmsProvider, channel: Channel): boolean {
  return channels ? channels.has(channel) : channel === 'sms'
}
