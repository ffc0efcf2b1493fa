import type { Operation } from '../../contract/operation.ts'
import { resetByEmail } from '../../services/password/reset-by-email.ts'
import { resetByPhone } from '../../services/password/reset-by-phone.ts'

export const resetPassword: Operation<'resetPassword'> = async (call, context) => {
  const { body, reply } = call
  await (body.by === 'email' ? resetByEmail(body, call, context) : resetByPhone(body, call, context))

  return reply(null)
}
