import type { Operation } from '../../contract/operation.ts'
import { serializeDeviceSession } from '../../serializers/device-session.ts'

export const listSessions: Operation<'listSessions'> = async ({ bearer, reply }, { store, describeDevice }) => {
  const sessions = await store.sessions.list(bearer)

  return reply({ sessions: sessions.map((session) => serializeDeviceSession(session, bearer, describeDevice)) })
}
