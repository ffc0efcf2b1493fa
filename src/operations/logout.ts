import type { Operation } from '../contract.ts'
import { traceOf } from '../domain/trace.ts'

export const logout: Operation<'logout'> = async ({ bearer, client, reply }, { store }) => {
  const { accountId, sessionId } = bearer
  await store.sessions.end(bearer, { id: sessionId }, { event: 'logout', accountId, ...traceOf(client) })

  return reply(null)
}
