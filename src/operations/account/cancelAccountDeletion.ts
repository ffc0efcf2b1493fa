import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const cancelAccountDeletion: Operation<'cancelAccountDeletion'> = async (call, { store }) => {
  await store.deletions.cancel(call.bearer, toAuditContext(call.client))

  return call.reply(null)
}
