import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { execute, query, queryRows, table } from '../../database/sql.ts'
import { eraseFromTrail, type ErasedAccount } from '../audit/erasure.ts'
import type { InChange, StoreParts } from '../changes.ts'
import { lockAndAuthorizeAccount } from './lock-account.ts'
import { revoke } from '../revocation/index.ts'

export type Deletions = {
  /**
   * Schedules the deletion of the account of a token, unless it is scheduled already, with a revocation. Returns the time
   * of the deletion.
   *
   * @param toMails returns the e-mails about it, for the time of a deletion that is scheduled already
   * @throws Failure 401 `token_revoked`
   */
  schedule(
    bearer: Bearer,
    auditContext: AuditContext,
    toMails: (scheduled: Date | null) => readonly NewMail[],
  ): Promise<Date>
  /**
   * Cancels the scheduled deletion, if any.
   *
   * @throws Failure 401 `token_revoked`
   */
  cancel(bearer: Bearer, auditContext: AuditContext): Promise<void>
  /** Deletes the accounts whose deletion is due, and returns their number. Concurrent instances skip each other's accounts. */
  carryOut(): Promise<number>
}

const AT_ONCE = 100
const DAY_MS = 86_400_000

const a = table('Account', 'a')

const DUE = query<ErasedAccount>(
  { id: a.id, email: a.email, phone: a.phone, pendingEmail: a.pendingEmail },
  (list) => `
    SELECT ${list} FROM accounts a WHERE a.deletion_due_at < service_now() ORDER BY a.deletion_due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`,
)

const DELETE = `
  WITH deleted AS (
    DELETE FROM accounts WHERE id = ANY ($1::int[])
    RETURNING id, CASE WHEN phone_verified_at IS NOT NULL THEN phone END AS phone),
  removals AS (
    INSERT INTO file_removals (key, reason, due_at)
    SELECT f.key, 'account_deleted', service_now() FROM files f JOIN deleted ON deleted.id = f.account_id
    ON CONFLICT DO NOTHING),
  codes AS (DELETE FROM phone_verifications WHERE phone IN (SELECT phone FROM deleted)),
  keys AS (DELETE FROM idempotency_keys WHERE account_id IN (SELECT id FROM deleted))
  INSERT INTO audit_events (event, account_id) SELECT 'account_deleted', id FROM deleted`

export function deletions({ log, inChange, inModelChange }: StoreParts): Deletions {
  return {
    schedule: (bearer, auditContext, toMails) =>
      inModelChange(async (change) => {
        const { accountId, sessionId: askedBy } = bearer
        const { deletionDueAt, now } = await lockAndAuthorizeAccount(change, bearer)
        const dueAt = deletionDueAt ?? new Date(now.getTime() + LIMITS.deletion.grace_days * DAY_MS)
        const revoked = await revoke(change, accountId, { askedBy }, { deletionDueAt: dueAt })
        await change.record(accountId, {
          ...revoked,
          auditEvents: deletionDueAt ? [] : [{ event: 'deletion_requested', accountId, ...auditContext }],
          mails: toMails(deletionDueAt),
        })
        return dueAt
      }),
    cancel: (bearer, auditContext) =>
      inModelChange(async (change) => {
        const { accountId } = bearer
        const { deletionDueAt } = await lockAndAuthorizeAccount(change, bearer)
        if (deletionDueAt === null) return
        await change.tx.account.update({
          where: { id: accountId },
          data: { deletionDueAt: null },
          select: { id: true },
        })
        await change.record(accountId, {
          auditEvents: [{ event: 'deletion_cancelled', accountId, ...auditContext }],
          isUpdate: true,
        })
      }),
    async carryOut() {
      let [count, total] = [AT_ONCE, 0]
      while (count === AT_ONCE) {
        const deleted = await deleteDue(inChange)
        for (const id of deleted) log.info({ accountId: id }, 'account_deleted')
        count = deleted.length
        total += count
      }
      return total
    },
  }
}

/** Deletes accounts whose deletion is due, at most AT_ONCE, and returns their ids. */
function deleteDue(inChange: InChange): Promise<number[]> {
  return inChange(async ({ transaction, write }) => {
    const rows = await queryRows(transaction, DUE)
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => id)
    await eraseFromTrail(transaction, rows)
    await execute(transaction, DELETE, ids)
    await write(null, { domainEvents: ids.map((id) => ({ type: 'account.deleted', data: { account_id: id } })) })
    return ids
  })
}
