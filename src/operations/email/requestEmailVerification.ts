import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { storeVerification } from '../../services/notifications/verify-email.ts'

const REFUSALS = { rate_limited: 'email_verification_limited' } as const

export const requestEmailVerification: Operation<'requestEmailVerification'> = async (call, context) => {
  const { body, bearer, client, reply } = call
  const { store, mail } = context
  if (!mail.isOffered) throw new Failure('mail_unavailable', { retryAfterSeconds: 3600 })
  const { accountId } = bearer
  await storeVerification({ ...bearer, email: body?.email }, call, context).catch((error: unknown) =>
    store.audit.recordRefusal(error, REFUSALS, String(accountId), { ...toAuditContext(client), accountId }),
  )

  return reply(null)
}
