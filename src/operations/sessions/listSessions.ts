import type { Operation } from '../../contract/operation.ts'
import { serializeDeviceSession } from '../../serializers/device-session.ts'

export const listSessions: Operation<'listSessions'> = async ({ bearer, reply }, { store, describeDevice }) => {
  const sessions = await store.sessions.list(bearer)

  const items = sessions.map((session) => serializeDeviceSession(session, bearer, describeDevice))
  return reply({ items, next_cursor: null })
}
