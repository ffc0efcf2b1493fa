import type { Operation } from '../contract.ts'
import { Failure } from '../domain/failure.ts'
import { maskAddress } from '../domain/mask.ts'

export const listSessions: Operation<'listSessions'> = async ({ bearer, reply }, { store, deviceOf }) => {
  const sessions = await store.sessions.list(bearer)
  if (!sessions) throw new Failure('token_revoked')

  return reply({
    sessions: sessions.map(({ id, userAgent, address, createdAt, refreshedAt }) => ({
      id,
      device: deviceOf(userAgent),
      address: maskAddress(address),
      created_at: createdAt.toISOString(),
      last_used_at: refreshedAt.toISOString(),
      current: id === bearer.sessionId,
    })),
  })
}
