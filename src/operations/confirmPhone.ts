import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { confirmCode } from './shared/confirm-code.ts'

export const confirmPhone: Operation<'confirmPhone'> = async ({ body, client, slate, reply }, context) => {
  const { e164: phone } = context.phoneNumbers.read(body.phone_code, body.phone)

  const window = await confirmCode({ phone, purpose: 'verification', otp: body.otp, client, slate }, context)
  if (!window) throw new Failure('otp_wrong')

  return reply(null)
}
