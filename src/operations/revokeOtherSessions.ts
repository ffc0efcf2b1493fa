import type { Operation } from '../contract.ts'
import { traceOf } from '../domain/trace.ts'

export const revokeOtherSessions: Operation<'revokeOtherSessions'> = async ({ bearer, client, reply }, { store }) => {
  const event = { event: 'other_sessions_revoked', accountId: bearer.accountId, ...traceOf(client) } as const
  const ended = await store.sessions.end(bearer, 'others', event)

  return reply({ ended })
}
