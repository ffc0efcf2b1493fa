import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const logout: Operation<'logout'> = async ({ bearer, client, reply }, { store }) => {
  const { accountId, sessionId } = bearer
  await store.sessions.end(bearer, { id: sessionId }, { event: 'logout', accountId, ...toAuditContext(client) })

  return reply(null)
}
