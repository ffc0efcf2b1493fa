import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { notifyBySms } from '../../services/notifications/sms.ts'
import { refuseToken } from '../../services/refuse-token.ts'

export const releaseEmail: Operation<'releaseEmail'> = async (call, context) => {
  const { body, client, reply } = call
  const { store, resetTokens } = context
  const account = await store.recovery.release(resetTokens.hash(body.token), toAuditContext(client))
  if (!account) return refuseToken('email_release_failed', { token: ['reset_token_wrong'] }, call, context)
  const { id: accountId, phone, placeholder: email } = account
  // by SMS, because the account no longer has an e-mail address
  if (phone) notifyBySms({ accountId, phone, values: { email } }, 'email_released_text', call, context)

  return reply(null)
}
