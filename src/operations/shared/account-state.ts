import type { Data } from '../../contract.ts'
import type { AccountState } from '../../domain/administration.ts'

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
