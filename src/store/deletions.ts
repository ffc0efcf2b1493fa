import { LIMITS } from '../../generated/limits.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { endSessions } from './passwords.ts'

export type Deletions = {
  /** Schedules the deletion of the account behind a token, and ends its sessions; undefined when the token is no good. */
  schedule(bearer: Bearer, trace: Trace): Promise<Date | undefined>
  /** Resolves to whether the token is good. */
  cancel(bearer: Bearer, trace: Trace): Promise<boolean>
  /** Deletes the accounts whose time has come. Of several instances that do, each deletes others. */
  carryOut(): Promise<void>
}

const AT_ONCE = 100

/** The time as the service believes it to be. `$1` is by how many seconds it is ahead of the database. */
const NOW = `(now() + make_interval(secs => $1))`

const ERASE = `
  WITH gone AS (
    DELETE FROM accounts WHERE id IN (
      SELECT id FROM accounts WHERE deletion_due_at < ${NOW} LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING id, phone),
  codes AS (DELETE FROM phone_verifications WHERE phone IN (SELECT phone FROM gone)),
  trail AS (UPDATE audit_events SET subject = NULL, address = NULL WHERE account_id IN (SELECT id FROM gone))
  INSERT INTO audit_events (event, account_id) SELECT 'account_deleted', id FROM gone RETURNING account_id AS id`

export function deletions(database: Database, { clock, log }: { clock: Clock; log: Log }): Deletions {
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async schedule(bearer, trace) {
      const eventsOf = (due: Due | undefined): AuditEvent[] =>
        due && !due.wasDue ? [{ event: 'deletion_requested', accountId: bearer.accountId, ...trace }] : []
      const due = await inTransaction(eventsOf, async (transaction) => {
        const held = await hold(transaction, bearer)
        if (!held) return undefined
        const [row] = await transaction.$queryRawUnsafe<{ dueAt: Date }[]>(
          `UPDATE accounts SET deletion_due_at =
             coalesce(deletion_due_at, ${NOW} + interval '${LIMITS.deletion.grace_days} days')
           WHERE id = $2 RETURNING deletion_due_at AS "dueAt"`,
          shift(),
          bearer.accountId,
        )
        await endSessions(transaction, bearer.accountId)
        return row && { dueAt: row.dueAt, wasDue: held.isDue }
      })
      return due?.dueAt
    },
    async cancel(bearer, trace) {
      const eventsOf = (held: Held | undefined): AuditEvent[] =>
        held?.isDue ? [{ event: 'deletion_cancelled', accountId: bearer.accountId, ...trace }] : []
      const held = await inTransaction(eventsOf, async (transaction) => {
        const found = await hold(transaction, bearer)
        if (found?.isDue) {
          const where = { id: bearer.accountId }
          await transaction.account.update({ where, data: { deletionDueAt: null }, select: { id: true } })
        }
        return found
      })
      return held !== undefined
    },
    async carryOut() {
      let count = AT_ONCE
      while (count === AT_ONCE) {
        const { rows } = await database.pool.query<{ id: number }>(ERASE, [shift()])
        for (const { id } of rows) log.info({ accountId: id }, 'account_deleted')
        count = rows.length
      }
    },
  }
}

type Due = { dueAt: Date; wasDue: boolean }
type Held = { isDue: boolean }

/** Holds the account behind a token until the end of the transaction, if the token is good. */
async function hold(
  transaction: Prisma.TransactionClient,
  { accountId, sessionId }: Bearer,
): Promise<Held | undefined> {
  const [held] = await transaction.$queryRaw<Held[]>`
    SELECT a.deletion_due_at IS NOT NULL AS "isDue" FROM accounts a JOIN sessions s ON s.account_id = a.id
    WHERE a.id = ${accountId} AND a.status = 'active' AND s.id = ${sessionId}::uuid AND s.ended_at IS NULL
    FOR UPDATE OF a`
  return held
}
