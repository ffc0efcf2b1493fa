import type { Operation } from '../contract.ts'
import { notify } from './shared/mail.ts'
import { resetByEmail } from './shared/reset-by-email.ts'
import { resetByPhone } from './shared/reset-by-phone.ts'

export const resetPassword: Operation<'resetPassword'> = async (call, context) => {
  const { body, client, abandoned, language, slate, reply } = call
  const asking = { client, abandoned, language, slate }
  const email =
    body.by === 'email' ? await resetByEmail(body, asking, context) : await resetByPhone(body, asking, context)
  notify({ to: email, about: 'password', language, reference: client.requestId }, context)

  return reply(null)
}
