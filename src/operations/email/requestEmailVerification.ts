import type { Operation } from '../../contract/operation.ts'
import { normaliseEmail } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { storeVerification } from '../../services/notifications/verify-email.ts'

const REFUSALS = { rate_limited: 'email_verification_limited' } as const

export const requestEmailVerification: Operation<'requestEmailVerification'> = async (
  { body, bearer, client, language, reply },
  context,
) => {
  const { store, mail } = context
  if (!mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
  const { accountId } = bearer
  const auditContext = toAuditContext(client)
  const verifying = { auditContext, language, reference: client.requestId }
  const email = body?.email === undefined ? undefined : normaliseEmail(body.email)
  await storeVerification({ ...bearer, email }, verifying, context).catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, String(accountId), { ...auditContext, accountId }),
  )

  return reply(null)
}
