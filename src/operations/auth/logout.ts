import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const logout: Operation<'logout'> = async ({ bearer, client, reply }, { store }) => {
  await store.sessions.endOwn(bearer, { event: 'logout', accountId: bearer.accountId, ...toAuditContext(client) })

  return reply(null)
}
