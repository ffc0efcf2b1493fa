import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { confirmCode } from '../../services/phone/confirm-code.ts'

export const confirmPhone: Operation<'confirmPhone'> = async ({ body, client, rateLimiter, reply }, context) => {
  const { otp } = body
  const { e164: phone } = context.phoneNumbers.read(body.phone_code, body.phone)

  const verification = await confirmCode({ phone, purpose: 'verification', otp, client, rateLimiter }, context)
  if (!verification) throw new Failure('otp_wrong')

  return reply(null)
}
