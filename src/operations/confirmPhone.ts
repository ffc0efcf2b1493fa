import { LIMITS } from '../../generated/limits.ts'
import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import type { Policy } from '../domain/limit.ts'
import { maskPhone } from '../domain/mask.ts'
import { asciiDigits } from '../domain/phone.ts'
import { confirm } from '../domain/phone-verification.ts'

const ADDRESS_FAILURES: Policy = {
  name: 'confirm-phone-address',
  points: LIMITS.confirm_phone.wrong_per_address,
  seconds: LIMITS.confirm_phone.address_minutes * 60,
}

export const confirmPhone: Operation<'confirmPhone'> = async (
  { body, client, slate, reply },
  { store, phoneNumbers, limits, codes },
) => {
  const { address, network, requestId } = client
  const { e164: phone } = phoneNumbers.read(body.phone_code, body.phone)
  const code = asciiDigits(body.otp)

  const counters = [{ policy: ADDRESS_FAILURES, key: network }]
  const isConfirmed = await limits.countFailures(counters, slate, async () => {
    const verdict = await store.phoneVerifications.change(phone, (current, nowMs) =>
      confirm(current, current !== undefined && codes.isRight(current, code), nowMs),
    )
    return verdict.isConfirmed
  })
  const event = isConfirmed ? 'phone_confirmed' : 'phone_confirmation_failed'
  await store.audit.record({ event, subject: maskPhone(phone), address, requestId })
  if (!isConfirmed) throw new Failure('otp_wrong')

  return reply('phone_confirmed', null)
}
