import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const cancelAccountDeletion: Operation<'cancelAccountDeletion'> = async (
  { bearer, client, reply },
  { store },
) => {
  await store.deletions.cancel(bearer, toAuditContext(client))

  return reply(null)
}
