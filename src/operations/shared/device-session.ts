import type { Context } from '../../context.ts'
import type { Data } from '../../contract.ts'
import type { Bearer } from '../../domain/account.ts'
import { maskAddress } from '../../domain/mask.ts'
import type { SessionRow } from '../../domain/session.ts'

/** The wire form of a session, for the one that asks. */
export function deviceSessionOf(
  { id, userAgent, address, createdAt, refreshedAt }: SessionRow,
  { sessionId }: Bearer,
  deviceOf: Context['deviceOf'],
): Data<'listSessions'>['sessions'][number] {
  return {
    id,
    device: deviceOf(userAgent),
    address: maskAddress(address),
    created_at: createdAt.toISOString(),
    last_used_at: refreshedAt.toISOString(),
    current: id === sessionId,
  }
}
