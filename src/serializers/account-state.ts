import type { Call, Data } from '../contract/operation.ts'
import type { AccountState, AdminAction } from '../domain/accounts/administration.ts'
import { toAuditContext } from '../domain/audit/audit-context.ts'

/** What an administrator asks for. */
export function toAdminAction({
  path,
  body,
  bearer,
  client,
}: Call<'adminSuspendUser' | 'adminRestoreUser'>): AdminAction {
  return { accountId: path.user_id, actor: bearer, reason: body.reason, auditContext: toAuditContext(client) }
}

/** The wire form of the state of an account. */
export function serializeAccountState(account: AccountState): Data<'adminSuspendUser'>['account'] {
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
