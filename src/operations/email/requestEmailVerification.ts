import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { sendMail } from '../../services/notifications/mail.ts'
import { verificationMail } from '../../services/notifications/verify-email.ts'

const REFUSALS = { rate_limited: 'email_verification_limited' } as const

export const requestEmailVerification: Operation<'requestEmailVerification'> = async (
  { bearer, client, language, reply },
  context,
) => {
  const { store, mail, background } = context
  if (!mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
  const { accountId } = bearer
  const message = await verificationMail(bearer, { client, language }, context).catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, String(accountId), { ...toAuditContext(client), accountId }),
  )
  if (message) background.enqueue('a verification e-mail', () => sendMail(message, context))

  return reply(null)
}
