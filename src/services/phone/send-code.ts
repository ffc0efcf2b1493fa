import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract/operation.ts'
import type { CodePurpose, PhoneVerification } from '../../domain/phones/code-window.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { Policy } from '../../domain/limits/policy.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { secondsToNextSend } from '../../domain/phones/otp-limits.ts'
import { send, withdrawSend } from '../../domain/phones/phone-verification.ts'
import type { SmsOutcome } from '../../domain/phones/sms.ts'
import { say, type Language } from '../../messages/index.ts'
import { toSite } from '../sessions/client-site.ts'

const PER_MINUTE: Policy = {
  name: 'check-phone-minute',
  points: LIMITS.check_phone.per_minute,
  seconds: 60,
  failsClosed: true,
}
const PER_HOUR: Policy = {
  name: 'check-phone-hour',
  points: LIMITS.check_phone.per_hour,
  seconds: 3600,
  failsClosed: true,
}
/** `Retry-After` when every provider refused the message, which does not count as sent */
const REFUSED_SECONDS = 10

/** Counts a request for a code, whatever its outcome. */
export async function consumeSend({ network: key }: Client, rateLimiter: RateLimiter): Promise<void> {
  await rateLimiter.consume([
    { policy: PER_MINUTE, key },
    { policy: PER_HOUR, key },
  ])
}

/**
 * Returns a number that codes can be sent to.
 *
 * @throws Failure 422 on `phone` or `phone_code`
 */
export function requireServedPhone(
  { phone_code: code, phone: text }: { phone_code: string; phone: string },
  { phoneNumbers, smsCountries }: Context,
): Phone {
  const phone = phoneNumbers.read(code, text)
  if (smsCountries?.has(phone.callingCode) === false) throw invalidData({ phone_code: ['country_not_served'] })
  return phone
}

type Sending = { phone: Phone; purpose: CodePurpose; language: Language; client: Client; isSilent?: boolean }

/** The outcome of a send, and the seconds until the next code can be sent if this one counts */
export type Sent = { outcome: SmsOutcome; nextSeconds: number }

/** The text of each purpose. The one for resets warns that the code sets a new password. */
const TEXTS = { verification: 'otp_text', reset: 'reset_otp_text' } as const

/**
 * Sends the code of the current window, or of a new one. A silent send is counted but not sent, so that later requests do not
 * reveal whether a message was sent.
 */
export async function sendCode(
  { phone, purpose, language, client, isSilent }: Sending,
  context: Context,
): Promise<Sent> {
  const { store, codes, sms, unlimitedPhones, networkHash } = context
  const network = toSite(client)
  const by = networkHash(network)
  const about = { phone: phone.e164, purpose }
  const isLimited = !unlimitedPhones.has(phone.e164)
  const { next: window, nextSeconds } = await store.phoneVerifications.change(about, (current, nowMs) => {
    const next = send(current, about, codes.newWindowId(), nowMs, { by, isLimited })
    return { next, nextSeconds: secondsToNextSend(next, by, nowMs) }
  })
  if (isSilent) return { outcome: 'taken', nextSeconds }
  const text = say(language, TEXTS[purpose], { code: codes.codeFor(window), minutes: LIMITS.otp.confirm_minutes })
  let outcome: SmsOutcome = 'refused'
  try {
    outcome = await sms.send({ to: phone, text, reference: client.requestId, purpose, network })
  } finally {
    if (outcome === 'refused') await withdraw(window, context)
  }
  return { outcome, nextSeconds }
}

/** @throws Failure 503 `sms_unavailable` unless a provider has accepted the message */
export function requireSent({ outcome, nextSeconds }: Sent): void {
  if (outcome === 'refused') throw new Failure('sms_unavailable', { retryAfterSeconds: REFUSED_SECONDS })
  if (outcome === 'unknown') throw new Failure('sms_unavailable', { retryAfterSeconds: Math.max(1, nextSeconds) })
}

/** Removes a send from the counts of its number: every provider refused it, or no budget was left. */
async function withdraw({ phone, purpose, sends }: PhoneVerification, { store, log }: Context): Promise<void> {
  const refused = sends.at(-1)
  await store.phoneVerifications
    .change({ phone, purpose }, (current) => ({ next: current && withdrawSend(current, refused) }))
    .catch((error: unknown) =>
      log.error({ err: error }, 'rejected SMS could not be removed from the counters of its number'),
    )
}
