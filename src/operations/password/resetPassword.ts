import type { Operation } from '../../contract/operation.ts'
import { deliverSoon } from '../../services/notifications/mail.ts'
import { resetByEmail } from '../../services/password/reset-by-email.ts'
import { resetByPhone } from '../../services/password/reset-by-phone.ts'

export const resetPassword: Operation<'resetPassword'> = async (call, context) => {
  const { body, client, abandoned, language, rateLimiter, reply } = call
  const request = { client, abandoned, language, rateLimiter }
  await (body.by === 'email' ? resetByEmail(body, request, context) : resetByPhone(body, request, context))
  deliverSoon(context)

  return reply(null)
}
