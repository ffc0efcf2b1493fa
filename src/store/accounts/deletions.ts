import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import type { AuditEvent, EventName, AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import { column, select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { eraseFromTrail, type ErasedAccount } from '../audit/erasure.ts'
import { NOW } from '../../database/now.ts'
import { query, queryOnlyRow, queryRows } from '../../database/query.ts'
import { retryStalePlans } from '../../database/stale-plans.ts'
import { lockAccountForUpdate } from './lock-account.ts'
import { revokeSessions } from './revocations.ts'
import type { EnqueueEvents } from '../events/outbox.ts'

export type Deletions = {
  /**
   * Schedules the deletion of the account of a token, unless it is scheduled already, and revokes its sessions. Returns
   * the time of the deletion.
   *
   * @param mails the e-mails about it
   * @throws Failure 401 `token_revoked`
   */
  schedule(bearer: Bearer, auditContext: AuditContext, mails: readonly NewMail[]): Promise<Date>
  /**
   * Cancels the scheduled deletion, if any.
   *
   * @throws Failure 401 `token_revoked`
   */
  cancel(bearer: Bearer, auditContext: AuditContext): Promise<void>
  /** Deletes the accounts whose deletion is due. Concurrent instances skip each other's accounts. */
  carryOut(): Promise<void>
}

const AT_ONCE = 100

const a = table('Account', 'a')

const SCHEDULE = query(
  select<{ dueAt: Date }>({ dueAt: column('a.deletion_due_at') }),
  (list) => `
    UPDATE accounts a SET deletion_due_at = ${NOW} + interval '${LIMITS.deletion.grace_days} days'
    WHERE a.id = $2 RETURNING ${list}`,
)

const DUE = query(
  select<ErasedAccount>({ id: a.id, email: a.email, phone: a.phone, pendingEmail: a.pendingEmail }),
  (list) => `
    SELECT ${list} FROM accounts a WHERE a.deletion_due_at < ${NOW} ORDER BY a.deletion_due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`,
)

const DELETE = `
  WITH deleted AS (
    DELETE FROM accounts WHERE id = ANY ($2::int[])
    RETURNING id, CASE WHEN phone_verified_at IS NOT NULL THEN phone END AS phone),
  removals AS (
    INSERT INTO file_removals (key, reason, due_at)
    SELECT f.key, 'account_deleted', ${NOW} FROM files f JOIN deleted ON deleted.id = f.account_id
    ON CONFLICT DO NOTHING),
  codes AS (DELETE FROM phone_verifications WHERE phone IN (SELECT phone FROM deleted))
  INSERT INTO audit_events (event, account_id) SELECT 'account_deleted', id FROM deleted`

type Parts = { clock: Clock; log: Log; enqueueEvents: EnqueueEvents }

export function deletions(database: Database, { clock, log, enqueueEvents }: Parts): Deletions {
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async schedule(bearer, auditContext, mails) {
      const { accountId } = bearer
      const { dueAt } = await inTransaction(
        toAuditEvents('deletion_requested', accountId, auditContext),
        async (transaction) => {
          const { deletionDueAt } = await lockAccountForUpdate(transaction, bearer)
          await revokeSessions(transaction, accountId)
          if (deletionDueAt) return { dueAt: deletionDueAt, isNew: false }
          const row = await queryOnlyRow(transaction, SCHEDULE, shift(), accountId)
          return { ...row, isNew: true }
        },
        () => mails,
      )
      return dueAt
    },
    async cancel(bearer, auditContext) {
      const { accountId } = bearer
      await inTransaction(toAuditEvents('deletion_cancelled', accountId, auditContext), async (transaction) => {
        const { deletionDueAt } = await lockAccountForUpdate(transaction, bearer)
        const isNew = deletionDueAt !== null
        if (isNew) {
          const data = { deletionDueAt: null }
          await transaction.account.update({ where: { id: accountId }, data, select: { id: true } })
        }
        return { isNew }
      })
    },
    async carryOut() {
      let count = AT_ONCE
      while (count === AT_ONCE) {
        const deleted = await deleteDue(database, shift(), enqueueEvents)
        for (const id of deleted) log.info({ accountId: id }, 'account_deleted')
        count = deleted.length
      }
    },
  }
}

/** Deletes accounts whose deletion is due, at most AT_ONCE, and returns their ids. */
function deleteDue({ prisma }: Database, shiftSeconds: number, enqueueEvents: EnqueueEvents): Promise<number[]> {
  return retryStalePlans(() =>
    prisma.$transaction(async (transaction) => {
      const rows = await queryRows(transaction, DUE, shiftSeconds)
      if (rows.length === 0) return []
      const ids = rows.map(({ id }) => id)
      await eraseFromTrail(transaction, rows)
      await transaction.$executeRawUnsafe(DELETE, shiftSeconds, ids)
      await enqueueEvents(
        transaction,
        ...ids.map((id) => ({ type: 'account.deleted', data: { account_id: id } }) as const),
      )
      return ids
    }),
  )
}

/** Returns a function that creates the audit event of a change; none if nothing has changed. */
function toAuditEvents(
  event: EventName,
  accountId: number,
  auditContext: AuditContext,
): (outcome: { isNew: boolean }) => AuditEvent[] {
  return ({ isNew }) => (isNew ? [{ event, accountId, ...auditContext }] : [])
}
