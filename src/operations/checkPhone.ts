import { LIMITS } from '../../generated/limits.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../contract.ts'
import { invalidData } from '../domain/failure.ts'
import type { Policy } from '../domain/limit.ts'
import { maskPhone } from '../domain/mask.ts'
import { send, withdrawSend, type PhoneVerification } from '../domain/phone-verification.ts'
import { say } from '../messages/index.ts'

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

export const checkPhone: Operation<'checkPhone'> = async ({ body, client, language, slate, reply }, context) => {
  const { store, phoneNumbers, smsCountries, limits, codes, sms } = context
  const { address, network, requestId } = client
  const { e164: phone, callingCode } = phoneNumbers.read(body.phone_code, body.phone)
  if (smsCountries?.has(callingCode) === false) throw invalidData({ phone_code: ['country_not_served'] })
  await limits.take({ policy: PER_MINUTE, key: network }, slate)
  await limits.take({ policy: PER_HOUR, key: network }, slate)
  const isTaken = await store.accounts.hasPhone(phone)
  const event = isTaken ? 'phone_found_taken' : 'phone_checked'
  await store.audit.record({ event, subject: maskPhone(phone), address, requestId })
  if (isTaken) throw invalidData({ phone: ['phone_taken'] })

  const { next: window } = await store.phoneVerifications.change(phone, (current, nowMs) => ({
    next: send(current, phone, codes.newWindowId(), nowMs),
  }))
  const text = say(language, 'otp_text', { code: codes.codeFor(window), minutes: LIMITS.otp.confirm_minutes })
  await sms.send({ to: phone, text, reference: requestId }).catch(async (error: unknown) => {
    await withdraw(context, window)
    throw error
  })

  return reply('otp_sent', null)
}

/** A send that no provider took does not count. */
async function withdraw({ store, log }: Context, { phone, sentAtMs }: PhoneVerification): Promise<void> {
  const failedAtMs = sentAtMs.at(-1)
  await store.phoneVerifications
    .change(phone, (current) => ({ next: current && withdrawSend(current, failedAtMs) }))
    .catch((error: unknown) => log.error({ err: error }, 'a send that failed could not be withdrawn'))
}
