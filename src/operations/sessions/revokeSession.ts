import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'

export const revokeSession: Operation<'revokeSession'> = async ({ path, bearer, client, reply }, { store }) => {
  const event = { event: 'session_revoked', accountId: bearer.accountId, ...toAuditContext(client) } as const
  const wasActive = await store.sessions.end(bearer, path.session_id, event)
  if (!wasActive) throw new Failure('session_unknown')

  return reply(null)
}
