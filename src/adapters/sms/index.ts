import type { Phone } from '../../domain/phones/phone.ts'
import type { Channel, FindProof, Language, SmsResult, Speech } from '../../domain/phones/sms.ts'

/**
 * The message for providers. `to` is in E.164. `text` is what the channel shows, or says in a call after a key was pressed:
 * `prompt` asks for the key `{key}`. `reference` identifies the message in our logs and in the provider's.
 */
export type SmsMessage = Readonly<Content & { to: string; prompt?: string | undefined }>

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
  send(message: OutgoingSms): Promise<SmsResult>
}

export type OutgoingSms = Readonly<
  Content & {
    to: Phone
    /** Undefined: the message is not sent by a call */
    speech?: Speech | undefined
    /** The channels that the number may receive the message by; all if undefined */
    offered?: readonly Channel[] | undefined
    network: string
    /** A message without this function has no proof. */
    findProof?: FindProof | undefined
    /** The verification of the code, for statistics; undefined for notices */
    windowId?: string
  }
>

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
