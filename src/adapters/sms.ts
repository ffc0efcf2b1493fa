import { Failure } from '../domain/failure.ts'

/** `reference` names the send in our logs and in the provider's. */
export type SmsMessage = Readonly<{ to: string; text: string; reference: string }>

export type Sms = {
  /**
   * Sends by the first provider that takes the message.
   *
   * @throws Failure 503 `sms_unavailable` when none does
   */
  send(message: SmsMessage): Promise<void>
}

/** Resolves when the provider took the message. */
export type SmsProvider = (message: SmsMessage) => Promise<void>

/** The provider refused the message: nothing was sent, so another one may be asked. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused'
}

/** Providers in order of failover. What one may have sent already is not given to another. */
export function smsBy(providers: readonly SmsProvider[]): Sms {
  return {
    async send(message) {
      let cause: unknown
      for (const provider of providers) {
        try {
          await provider(message)
          return
        } catch (error) {
          cause = error
          if (!(error instanceof SmsRefused)) break
        }
      }
      throw new Failure('sms_unavailable', { retryAfterSeconds: 10, cause })
    },
  }
}
