import type { Phone } from '../../domain/phones/phone.ts'
import type { SmsOutcome } from '../../domain/phones/sms.ts'
import type { Log } from '../../lib/log.ts'

/** The message for providers. `reference` identifies it in our logs and in the provider's. */
export type SmsMessage = Readonly<{ to: string; text: string; reference: string }>

export type Sms = {
  /**
   * Sends through the first provider that accepts the message.
   *
   * @throws Failure 429 `rate_limited` or 503 `limits_unavailable` before any provider is called
   */
  send(message: Readonly<OutgoingSms>): Promise<SmsOutcome>
}

type OutgoingSms = {
  to: Phone
  text: string
  reference: string
  /** Part of the budgets is reserved for password resets of existing accounts. */
  purpose: 'verification' | 'reset' | 'notice'
  /** The network that requested the message */
  network: string
}

export type SmsProvider = Readonly<{
  name: string
  /**
   * Resolves when the provider has accepted the message.
   *
   * @throws SmsRefused if it rejected the message, and any other error if the outcome is unknown
   */
  send(message: SmsMessage): Promise<void>
}>

/** Thrown if a provider rejected the message: nothing was sent, so another one may be tried. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused'
}

/** Tries providers in order. A message that may have been sent is not given to another provider. */
export function smsFailover(providers: readonly SmsProvider[], log: Log): Sms {
  return {
    async send({ to, text, reference }) {
      const message = { to: to.e164, text, reference }
      for (const [index, provider] of providers.entries()) {
        try {
          await provider.send(message)
          return 'taken'
        } catch (error) {
          const outcome = error instanceof SmsRefused ? 'refused' : 'unknown'
          const next = outcome === 'refused' ? providers[index + 1]?.name : undefined
          const details = { provider: provider.name, outcome, next, reference: message.reference }
          log.warn({ ...details, err: error }, 'SMS provider did not accept a message')
          if (outcome === 'unknown') return outcome
        }
      }
      return 'refused'
    },
  }
}
