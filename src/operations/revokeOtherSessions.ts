import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'

export const revokeOtherSessions: Operation<'revokeOtherSessions'> = async ({ bearer, client, reply }, { store }) => {
  const ended = await store.sessions.end(bearer, 'others')
  if (ended === undefined) throw new Failure('token_revoked')
  await store.audit.record({ event: 'other_sessions_revoked', accountId: bearer.accountId, ...traceOf(client) })

  return reply({ ended })
}
