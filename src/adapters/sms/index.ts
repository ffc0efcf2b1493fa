import type { Phone } from '../../domain/phones/phone.ts'
import type { Channel, Language, SmsResult } from '../../domain/phones/sms.ts'

/**
 * The message for providers. `to` is in E.164. `text` is what the channel shows, or says in a call. `reference`
 * identifies the message in our logs and in the provider's.
 */
export type SmsMessage = Readonly<Content & { to: string }>

type Content = {
  text: string
  reference: string
  /** Part of the budgets is reserved for password resets of existing accounts. */
  purpose: 'verification' | 'reset' | 'notice'
  language: Language
  channel: Channel
  /** The code in the text; undefined for notices */
  code?: string
}

export type Sms = {
  /**
   * Sends through the first provider that accepts the message: those of the channel, then those of SMS, if SMS is offered.
   *
   * @throws Failure 429 `rate_limited` or 503 `limits_unavailable` before any provider is called
   */
  send(message: Readonly<OutgoingSms>): Promise<SmsResult>
}

type OutgoingSms = Content & {
  to: Phone
  /** What a call says instead of the text */
  speech?: string
  /** The channels that the number may receive the message by; all if undefined */
  offered?: readonly Channel[] | undefined
  /** The network that requested the message */
  network: string
  /** The window of the code, for statistics; undefined for notices */
  windowId?: string
}

export type SmsProvider = Readonly<{
  name: string
  /** The channels that it can send by; SMS only if undefined */
  channels?: ReadonlySet<Channel> | undefined
  /**
   * Resolves when the provider has accepted the message, to the identifier that the provider gave it, if any.
   *
   * @param timeoutMs the time that is left for the message, in milliseconds
   * @throws SmsRefused if it rejected the message, and any other error if the outcome is unknown
   */
  send(message: SmsMessage, timeoutMs: number): Promise<string | undefined>
}>

/** Thrown if a provider rejected the message: nothing was sent, so another one may be tried. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused'
}
