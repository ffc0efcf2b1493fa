import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { traceOf } from '../domain/trace.ts'

export const logout: Operation<'logout'> = async ({ bearer, client, reply }, { store }) => {
  const { accountId, sessionId } = bearer
  const ended = await store.sessions.end(bearer, { id: sessionId })
  if (ended === undefined) throw new Failure('token_revoked')
  await store.audit.record({ event: 'logout', accountId, ...traceOf(client) })

  return reply(null)
}
