import type { Context } from '../context.ts'
import type { Data } from '../contract/operation.ts'
import type { Bearer } from '../domain/accounts/account.ts'
import { maskAddress } from '../domain/text.ts'
import type { SessionRow } from '../domain/sessions/session.ts'

/** The wire form of a session, for the one that asks. */
export function serializeDeviceSession(
  { id, userAgent, address, createdAt, refreshedAt }: SessionRow,
  { sessionId }: Bearer,
  describeDevice: Context['describeDevice'],
): Data<'listSessions'>['items'][number] {
  return {
    id,
    device: describeDevice(userAgent),
    address: maskAddress(address),
    created_at: createdAt.toISOString(),
    last_used_at: refreshedAt.toISOString(),
    current: id === sessionId,
  }
}
