import { LIMITS } from '../../generated/limits.ts'
import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { AuditEvent, EventName, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { eraseFromTrail, type ErasedAccount } from './erasure.ts'
import { NOW } from './now.ts'
import { endSessions, holdAccount } from './own-account.ts'
import type { Tell } from './tell.ts'

export type Deletions = {
  /**
   * Schedules the deletion of the account behind a token, unless it is, and ends its sessions; gives when it is due.
   *
   * @throws Failure 401 `token_revoked`
   */
  schedule(bearer: Bearer, trace: Trace): Promise<Date>
  /** @throws Failure 401 `token_revoked` */
  cancel(bearer: Bearer, trace: Trace): Promise<void>
  /** Deletes the accounts whose time has come. Of several instances that do, each deletes others. */
  carryOut(): Promise<void>
}

const AT_ONCE = 100

const SCHEDULE = `
  UPDATE accounts SET deletion_due_at = ${NOW} + interval '${LIMITS.deletion.grace_days} days'
  WHERE id = $2 RETURNING deletion_due_at AS "dueAt"`

const DUE = `
  SELECT id, email, phone, pending_email AS "pendingEmail" FROM accounts WHERE deletion_due_at < ${NOW}
  LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`

const DELETE = `
  WITH gone AS (
    DELETE FROM accounts WHERE id = ANY ($2::int[])
    RETURNING id, CASE WHEN phone_verified_at IS NOT NULL THEN phone END AS phone),
  removals AS (
    INSERT INTO file_removals (key, reason, due_at)
    SELECT f.key, 'account_deleted', ${NOW} FROM files f JOIN gone ON gone.id = f.account_id
    ON CONFLICT DO NOTHING),
  codes AS (DELETE FROM phone_verifications WHERE phone IN (SELECT phone FROM gone))
  INSERT INTO audit_events (event, account_id) SELECT 'account_deleted', id FROM gone`

type Parts = { clock: Clock; log: Log; tell: Tell }

export function deletions(database: Database, { clock, log, tell }: Parts): Deletions {
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async schedule(bearer, trace) {
      const { accountId } = bearer
      const { dueAt } = await inTransaction(eventsOf('deletion_requested', accountId, trace), async (transaction) => {
        const { deletionDueAt } = await holdAccount(transaction, bearer)
        await endSessions(transaction, accountId)
        if (deletionDueAt) return { dueAt: deletionDueAt, isNew: false }
        const [row] = await transaction.$queryRawUnsafe<[{ dueAt: Date }]>(SCHEDULE, shift(), accountId)
        return { ...row, isNew: true }
      })
      return dueAt
    },
    async cancel(bearer, trace) {
      const { accountId } = bearer
      await inTransaction(eventsOf('deletion_cancelled', accountId, trace), async (transaction) => {
        const { deletionDueAt } = await holdAccount(transaction, bearer)
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
        const gone = await database.prisma.$transaction(async (transaction) => {
          const rows = await transaction.$queryRawUnsafe<ErasedAccount[]>(DUE, shift())
          if (rows.length === 0) return rows
          const ids = rows.map(({ id }) => id)
          await eraseFromTrail(transaction, rows)
          await transaction.$executeRawUnsafe(DELETE, shift(), ids)
          await tell(transaction, ...ids.map((id) => ({ type: 'account.deleted', data: { account_id: id } }) as const))
          return rows
        })
        for (const { id } of gone) log.info({ accountId: id }, 'account_deleted')
        count = gone.length
      }
    },
  }
}

/** What changes nothing is not recorded. */
function eventsOf(event: EventName, accountId: number, trace: Trace): (outcome: { isNew: boolean }) => AuditEvent[] {
  return ({ isNew }) => (isNew ? [{ event, accountId, ...trace }] : [])
}
