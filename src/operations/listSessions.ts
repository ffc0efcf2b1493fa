import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { deviceSessionOf } from './shared/device-session.ts'

export const listSessions: Operation<'listSessions'> = async ({ bearer, reply }, { store, deviceOf }) => {
  const sessions = await store.sessions.list(bearer)
  if (!sessions) throw new Failure('token_revoked')

  return reply({ sessions: sessions.map((session) => deviceSessionOf(session, bearer, deviceOf)) })
}
