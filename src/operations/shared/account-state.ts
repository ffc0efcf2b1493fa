import type { Call, Data } from '../../contract.ts'
import type { AccountState, Deed } from '../../domain/administration.ts'
import { traceOf } from '../../domain/trace.ts'

/** What an administrator asks for. */
export function deedOf({ path, body, bearer, client }: Call<'adminSuspendUser' | 'adminRestoreUser'>): Deed {
  return { accountId: path.user_id, actor: bearer, reason: body.reason, trace: traceOf(client) }
}

/** The wire form of the state of an account. */
export function stateOf(account: AccountState): Data<'adminSuspendUser'>['account'] {
  return {
    id: account.id,
    status: account.status,
    is_admin: account.isAdmin,
    created_at: account.createdAt.toISOString(),
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    suspension_reason: account.suspensionReason,
    sessions: account.sessions,
  }
}
