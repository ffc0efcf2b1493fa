import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import type { Client } from '../../contract.ts'
import type { CodePurpose } from '../../domain/code-purposes.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { Policy, Slate } from '../../domain/limit.ts'
import type { Phone } from '../../domain/phone.ts'
import { secondsToNextSend } from '../../domain/otp-limits.ts'
import { send, withdrawSend, type PhoneVerification } from '../../domain/phone-verification.ts'
import type { SmsOutcome } from '../../domain/sms.ts'
import { say, type Language } from '../../messages/index.ts'
import { siteOf } from './site.ts'

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
/** A send that every provider refused does not count, and they may take the next one. */
const REFUSED_SECONDS = 10

/** Counts one who asks for a code, whatever becomes of it. */
export async function takeSend({ network: key }: Client, slate: Slate, { limits }: Context): Promise<void> {
  await limits.take({ policy: PER_MINUTE, key }, slate)
  await limits.take({ policy: PER_HOUR, key }, slate)
}

/**
 * A number that codes may be sent to.
 *
 * @throws Failure 422 on `phone` or `phone_code`
 */
export function servedPhone(
  { phone_code: code, phone: text }: { phone_code: string; phone: string },
  { phoneNumbers, smsCountries }: Context,
): Phone {
  const phone = phoneNumbers.read(code, text)
  if (smsCountries?.has(phone.callingCode) === false) throw invalidData({ phone_code: ['country_not_served'] })
  return phone
}

type Sending = { phone: Phone; purpose: CodePurpose; language: Language; client: Client; isSilent?: boolean }

/** What became of a send, and in how many seconds the next code may be sent if this one counts */
export type Sent = { outcome: SmsOutcome; nextSeconds: number }

/** The SMS of each purpose. That of a reset warns that its code sets a new password. */
const TEXTS = { verification: 'otp_text', reset: 'reset_otp_text' } as const

/**
 * Opens a window or goes on with one, and sends its code. A silent one is counted like the others and sends nothing, so that
 * later requests do not show whether a message was sent.
 */
export async function sendCode(
  { phone, purpose, language, client, isSilent }: Sending,
  context: Context,
): Promise<Sent> {
  const { store, codes, sms, unlimitedPhones, networkHash } = context
  const network = siteOf(client)
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

/** @throws Failure 503 `sms_unavailable` unless a provider has taken the message */
export function requireSent({ outcome, nextSeconds }: Sent): void {
  if (outcome === 'refused') throw new Failure('sms_unavailable', { retryAfterSeconds: REFUSED_SECONDS })
  if (outcome === 'unknown') throw new Failure('sms_unavailable', { retryAfterSeconds: Math.max(1, nextSeconds) })
}

/** A send that every provider refused, or for which there is no budget, does not count. */
async function withdraw({ phone, purpose, sends }: PhoneVerification, { store, log }: Context): Promise<void> {
  const refused = sends.at(-1)
  await store.phoneVerifications
    .change({ phone, purpose }, (current) => ({ next: current && withdrawSend(current, refused) }))
    .catch((error: unknown) => log.error({ err: error }, 'a send that was refused could not be withdrawn'))
}
