import type { Operation } from '../../contract/operation.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const revokeOtherSessions: Operation<'revokeOtherSessions'> = async ({ bearer, client, reply }, { store }) => {
  const event = { event: 'other_sessions_revoked', accountId: bearer.accountId, ...toAuditContext(client) } as const
  const ended = await store.sessions.endOthers(bearer, event)

  return reply({ ended })
}
