import type { Operation } from '../../contract/operation.ts'
import { notify } from '../../services/notifications/mail.ts'
import { resetByEmail } from '../../services/password/reset-by-email.ts'
import { resetByPhone } from '../../services/password/reset-by-phone.ts'

export const resetPassword: Operation<'resetPassword'> = async (call, context) => {
  const { body, client, abandoned, language, rateLimiter, reply } = call
  const request = { client, abandoned, language, rateLimiter }
  const email =
    body.by === 'email' ? await resetByEmail(body, request, context) : await resetByPhone(body, request, context)
  notify({ to: email, about: 'password', language, reference: client.requestId }, context)

  return reply(null)
}
