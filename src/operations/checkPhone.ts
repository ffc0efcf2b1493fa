import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import type { Policy } from '../domain/limit.ts'
import { maskPhone } from '../domain/mask.ts'
import type { Phone } from '../domain/phone.ts'
import { send, withdrawSend, type PhoneVerification } from '../domain/phone-verification.ts'
import type { SmsOutcome } from '../domain/sms.ts'
import type { Trace } from '../domain/trace.ts'
import { say, type Language } from '../messages/index.ts'

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
/** A send that may have gone out is followed by the cooldown. */
const RETRY_AFTER_SECONDS = { refused: 10, unknown: LIMITS.otp.cooldown_seconds[0] }

const REFUSALS = { rate_limited: 'phone_check_limited', otp_tries_exhausted: 'otp_exhausted' } as const

export const checkPhone: Operation<'checkPhone'> = async ({ body, client, language, slate, reply }, context) => {
  const { store, phoneNumbers, smsCountries, limits } = context
  const { address, network, requestId } = client
  const phone = phoneNumbers.read(body.phone_code, body.phone)
  if (smsCountries?.has(phone.callingCode) === false) throw invalidData({ phone_code: ['country_not_served'] })
  const trace = { subject: maskPhone(phone.e164), address, requestId }

  const sendCounted = async (): Promise<SmsOutcome> => {
    await limits.take({ policy: PER_MINUTE, key: network }, slate)
    await limits.take({ policy: PER_HOUR, key: network }, slate)
    await refuseTaken(phone, trace, context)
    return sendCode({ phone, language, reference: requestId }, context)
  }
  const outcome = await sendCounted().catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, phone.e164, trace),
  )
  if (outcome !== 'taken') throw new Failure('sms_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS[outcome] })

  return reply(null)
}

async function refuseTaken({ e164 }: Phone, trace: Trace, { store }: Context): Promise<void> {
  const isTaken = await store.accounts.hasPhone(e164)
  await store.audit.record({ event: isTaken ? 'phone_found_taken' : 'phone_checked', ...trace })
  if (isTaken) throw invalidData({ phone: ['phone_taken'] })
}

type Sending = { phone: Phone; language: Language; reference: string }

/** Opens a window or goes on with one, and sends its code. */
async function sendCode({ phone, language, reference }: Sending, context: Context): Promise<SmsOutcome> {
  const { store, codes, sms } = context
  const { next: window } = await store.phoneVerifications.change(phone.e164, (current, nowMs) => ({
    next: send(current, phone.e164, codes.newWindowId(), nowMs),
  }))
  const text = say(language, 'otp_text', { code: codes.codeFor(window), minutes: LIMITS.otp.confirm_minutes })
  let outcome: SmsOutcome = 'refused'
  try {
    outcome = await sms.send({ to: phone, text, reference })
  } finally {
    if (outcome === 'refused') await withdraw(window, context)
  }
  return outcome
}

/** A send that every provider refused, or for which there is no budget, does not count. */
async function withdraw({ phone, sentAtMs }: PhoneVerification, { store, log }: Context): Promise<void> {
  const refusedAtMs = sentAtMs.at(-1)
  await store.phoneVerifications
    .change(phone, (current) => ({ next: current && withdrawSend(current, refusedAtMs) }))
    .catch((error: unknown) => log.error({ err: error }, 'a send that was refused could not be withdrawn'))
}
