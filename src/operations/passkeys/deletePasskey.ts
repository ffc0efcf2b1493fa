import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { serializeDeletedPasskey } from '../../serializers/second-factors.ts'
import { announceFactorChange, composeFactorMails } from '../../services/factors/notify.ts'

export const deletePasskey: Operation<'deletePasskey'> = async (call, context) => {
  const { path, bearer, client, reply } = call
  const { factors } = context.store
  const owner = await factors.read(bearer)
  const mails = composeFactorMails('passkey_removed', owner, call, context)
  const deleted = await factors.deletePasskey(bearer, path.passkey_id, { auditContext: toAuditContext(client), mails })
  announceFactorChange(owner, call, context)

  return reply(serializeDeletedPasskey(deleted))
}
