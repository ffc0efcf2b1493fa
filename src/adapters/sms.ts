import type { Phone } from '../domain/phone.ts'
import type { SmsOutcome } from '../domain/sms.ts'
import type { Log } from '../log.ts'

/** As providers get it. `reference` names the send in our logs and in the provider's. */
export type SmsMessage = Readonly<{ to: string; text: string; reference: string }>

export type Sms = {
  /**
   * Sends by the first provider that takes the message.
   *
   * @throws Failure 429 `rate_limited` or 503 `limits_unavailable` before any provider is asked
   */
  send(message: Readonly<Outgoing>): Promise<SmsOutcome>
}

type Outgoing = {
  to: Phone
  text: string
  reference: string
  /** Resets of existing accounts have a part of the budgets to themselves. */
  purpose: 'verification' | 'reset' | 'notice'
  /** The network that asked for the message */
  network: string
}

export type SmsProvider = Readonly<{
  name: string
  /**
   * Resolves when the provider took the message.
   *
   * @throws SmsRefused when it did not, and anything else when that is not known
   */
  send(message: SmsMessage): Promise<void>
}>

/** The provider refused the message: nothing was sent, so another one may be asked. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused'
}

/** Providers in order of failover. What one may have sent already is not given to another. */
export function smsBy(providers: readonly SmsProvider[], log: Log): Sms {
  return {
    async send({ to, text, reference }) {
      const message = { to: to.e164, text, reference }
      for (const [at, provider] of providers.entries()) {
        try {
          await provider.send(message)
          return 'taken'
        } catch (error) {
          const outcome = error instanceof SmsRefused ? 'refused' : 'unknown'
          const next = outcome === 'refused' ? providers[at + 1]?.name : undefined
          const about = { provider: provider.name, outcome, next, reference: message.reference }
          log.warn({ ...about, err: error }, 'an SMS provider did not take a message')
          if (outcome === 'unknown') return outcome
        }
      }
      return 'refused'
    },
  }
}
