import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Context } from '../../context.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { Client } from '../../contract/operation.ts'
import type { CodePurpose, PhoneVerification } from '../../domain/phones/code-window.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { secondsToNextSend } from '../../domain/phones/otp-limits.ts'
import { send, withdrawSend, type CountedSend } from '../../domain/phones/phone-verification.ts'
import type { Channel, SmsResult } from '../../domain/phones/sms.ts'
import type { Language } from '../../messages/index.ts'
import { toSite } from '../sessions/client-site.ts'
import { writeCode } from './code-texts.ts'

/** `Retry-After` when every provider refused the message, which does not count as sent */
const REFUSED_SECONDS = 10

/** Counts a request for a code, whatever its outcome. */
export async function consumeSend({ network: key }: Client, rateLimiter: RateLimiter): Promise<void> {
  await rateLimiter.consume([
    { policy: RATE_LIMITS['check-phone-minute'], key },
    { policy: RATE_LIMITS['check-phone-hour'], key },
  ])
}

type PhoneForm = Readonly<{ phone_code: string; phone: string; channel?: Channel }>

/** A number that codes can be sent to, the requested channel, and all that its country can use */
export type Destination = Readonly<{ phone: Phone; channel: Channel; offered: readonly Channel[] }>

/**
 * Returns where the code of a form is to be sent. This depends only on the form and the configuration.
 *
 * @throws Failure 422 on `phone`, `phone_code` or `channel`
 */
export function requireDestination(
  { phone_code: code, phone: text, channel = 'sms' }: PhoneForm,
  { phoneNumbers, smsCountries, offeredChannels }: Context,
): Destination {
  const phone = phoneNumbers.read(code, text)
  if (smsCountries?.has(phone.callingCode) === false) throw invalidData({ phone_code: ['country_not_served'] })
  const offered = offeredChannels(phone.callingCode)
  if (!offered.includes(channel)) throw invalidData({ channel: ['channel_not_offered'] })
  return { phone, channel, offered }
}

type Sending = {
  phone: Phone
  channel: Channel
  purpose: CodePurpose
  language: Language
  client: Client
  isSilent?: boolean
  /** Sends only to a number that no account has verified, and records the check */
  checked?: AuditContext
}

/** The outcome of a send, and the seconds until the next code can be sent if this one counts */
export type Sent = SmsResult & { nextSeconds: number }

/**
 * Sends the code of the current window, or of a new one. A silent send is counted but not sent, so that later requests do not
 * reveal whether a message was sent.
 *
 * @throws Failure 422 `phone_taken`, 429 if a limit of the number is reached, and those of `Sms.send`
 */
export async function sendCode(sending: Sending, context: Context): Promise<Sent> {
  const { phone, channel, purpose, language, client, isSilent } = sending
  const { codes, codeTexts, sms } = context
  const { nextSeconds, ...counted } = await countSend(sending, context)
  if (isSilent) return { outcome: 'taken', nextSeconds }
  const code = codes.codeFor(counted.window)
  const texts = writeCode({ code, purpose, language }, codeTexts)
  const content = { ...texts, code, language, channel, purpose, reference: client.requestId } as const
  let result: SmsResult = { outcome: 'refused' }
  try {
    result = await sms.send({ to: phone, ...content, network: toSite(client) })
  } finally {
    if (result.outcome === 'refused') await withdraw(counted, context)
  }
  return { ...result, nextSeconds }
}

/** A send that was counted, and the seconds until the next one */
type Counted = CountedSend & { nextSeconds: number }

/** Counts a send for its number. A rejection is decided together with the window, so that the check is recorded once. */
async function countSend({ phone, purpose, client, checked }: Sending, context: Context): Promise<Counted> {
  const { store, codes, unlimitedPhones, networkHash } = context
  const by = networkHash(toSite(client))
  const about = { phone: phone.e164, purpose }
  const options = { by, isLimited: !unlimitedPhones.has(phone.e164) }
  const sendNow = (before: PhoneVerification | undefined, nowMs: number): Counted => {
    const window = send(before, about, codes.newWindowId(), nowMs, options)
    return { before, window, nextSeconds: secondsToNextSend(window, by, nowMs) }
  }
  if (!checked) {
    return store.phoneVerifications.change(about, (current, nowMs) => {
      const counted = sendNow(current, nowMs)
      return { ...counted, next: counted.window }
    })
  }
  const { counted } = await store.phoneVerifications.changeUnowned(about, (current, nowMs, isTaken) => {
    const event = { event: isTaken ? 'phone_found_taken' : 'phone_checked', ...checked } as const
    const counted = isTaken ? invalidData({ phone: ['phone_taken'] }) : orFailure(() => sendNow(current, nowMs))
    return { counted, event, next: counted instanceof Failure ? current : counted.window }
  })
  if (counted instanceof Failure) throw counted
  return counted
}

/** Returns the failure that a function throws. */
function orFailure<Result>(act: () => Result): Result | Failure {
  try {
    return act()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** @throws Failure 503 `sms_unavailable` unless a provider has accepted the message */
export function requireSent({ outcome, nextSeconds }: Sent): void {
  if (outcome === 'refused') throw new Failure('sms_unavailable', { retryAfterSeconds: REFUSED_SECONDS })
  if (outcome === 'unknown') throw new Failure('sms_unavailable', { retryAfterSeconds: Math.max(1, nextSeconds) })
}

/** Undoes a send that was counted: every provider refused it, or no budget was left. */
async function withdraw(counted: CountedSend, { store, log }: Context): Promise<void> {
  await store.phoneVerifications
    .change(counted.window, (current) => ({ next: current && withdrawSend(current, counted) }))
    .catch((error: unknown) =>
      log.error({ err: error }, 'rejected SMS could not be removed from the counters of its number'),
    )
}
