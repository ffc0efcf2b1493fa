import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'

export const revokeSession: Operation<'revokeSession'> = async ({ path, bearer, client, reply }, { store }) => {
  const ended = await store.sessions.end(bearer, { id: path.session_id })
  if (ended === undefined) throw new Failure('token_revoked')
  if (ended === 0) throw new Failure('session_unknown')
  await store.audit.record({ event: 'session_revoked', accountId: bearer.accountId, ...traceOf(client) })

  return reply(null)
}
