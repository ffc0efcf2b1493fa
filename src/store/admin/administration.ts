import type { Prisma } from '../../../generated/prisma/client.ts'
import type { AccountState, AdminAction } from '../../domain/accounts/administration.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Decision } from '../../domain/profiles/review.ts'
import type { Completion } from '../../domain/idempotency.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import { complete } from '../idempotency/finish.ts'
import type { Database } from '../../database/index.ts'
import { select } from '../../database/columns.ts'
import { query, queryOnlyRow } from '../../database/query.ts'
import { lockTargetForUpdate, type Target } from './lock-target.ts'
import { revokeSessions } from '../accounts/revocations.ts'
import { VERIFY_EMAIL } from '../recovery/sql.ts'
import type { EnqueueEvents } from '../events/outbox.ts'
import { STATE } from './users.ts'
import { writeReview, type Done } from './write-review.ts'

/**
 * Actions of administrators on accounts. Each action and its audit event are one transaction. An action that changes
 * nothing records no event.
 *
 * @throws Failure 401 `token_revoked`, 403 `admin_required` or `reauthentication_required`, 404 `user_unknown`, 422 on
 * `user_id` if it is the actor's own account or cannot be reviewed, 422 on `review_version` if it is outdated
 */
export type Administration = {
  /** Suspends an account and revokes its sessions. */
  suspend(action: AdminAction, completion?: Completion<AccountState>): Promise<AccountState>
  restore(action: AdminAction, completion?: Completion<AccountState>): Promise<AccountState>
  review(
    action: Omit<AdminAction, 'reason'>,
    decision: Decision & { note: string | null },
    completion?: Completion<undefined>,
  ): Promise<undefined>
  /** Grants or revokes administrator privileges. Returns whether anything has changed. */
  setAdmin(action: AdminAction, isAdmin: boolean): Promise<boolean>
  /** Marks the e-mail address as verified, after an operator has checked the identity of its owner. */
  verifyEmail(action: AdminAction): Promise<void>
}

type Transaction = Prisma.TransactionClient
type Parts = { clock: Clock; log: Log; enqueueEvents: EnqueueEvents }

/** The audit event and the webhook event of a change of status. */
const STATUS_CHANGES = {
  suspended: { event: 'user_suspended', type: 'account.suspended' },
  active: { event: 'user_restored', type: 'account.restored' },
} as const

const READ_STATE = query(select(STATE), (list) => `SELECT ${list} FROM accounts a WHERE a.id = $2`)

export function administration(database: Database, { clock, log, enqueueEvents }: Parts): Administration {
  const inTransaction = audited(database, log)

  const perform = async <Result>(
    { accountId, actor, reason, auditContext }: AdminAction,
    change: (transaction: Transaction, target: Target) => Promise<Done<Result>>,
    completion?: Completion<Result>,
  ): Promise<Result> => {
    const actorId = actor === 'command line' ? {} : { actorId: actor.accountId }
    const { result } = await inTransaction<Done<Result>>(
      ({ event, subject = auditContext.subject }) =>
        event ? [{ event, accountId, ...actorId, reason, ...auditContext, subject }] : [],
      async (transaction) => {
        const done = await change(transaction, await lockTargetForUpdate(transaction, accountId, actor))
        if (done.event && done.domainEvent) await enqueueEvents(transaction, done.domainEvent)
        if (completion) await complete(transaction, completion, done.result, clock)
        return done
      },
    )
    return result
  }
  const setStatus = (
    to: AccountState['status'],
    action: AdminAction,
    completion?: Completion<AccountState>,
  ): Promise<AccountState> => perform(action, statusChange(to, action, clock), completion)
  return {
    suspend: (action, completion) => setStatus('suspended', action, completion),
    restore: (action, completion) => setStatus('active', action, completion),
    review: (action, { note, ...decision }, completion) =>
      perform({ ...action, reason: note }, (transaction, { id }) => writeReview(transaction, id, decision), completion),
    setAdmin: (action, isAdmin) =>
      perform(action, async (transaction, target) => {
        if (target.isAdmin === isAdmin) return { result: false, event: undefined }
        await transaction.account.update({ where: { id: target.id }, data: { isAdmin }, select: { id: true } })
        return { result: true, event: isAdmin ? 'admin_granted' : 'admin_revoked' }
      }),
    verifyEmail: (action) =>
      perform(action, async (transaction, target) => {
        await transaction.$executeRawUnsafe(VERIFY_EMAIL, clock.shiftMs() / 1000, target.id)
        return { result: undefined, event: 'email_marked_verified' }
      }),
  }
}

/** Returns the change of the status of an account. */
function statusChange(
  to: AccountState['status'],
  { reason }: AdminAction,
  clock: Clock,
): (transaction: Transaction, target: Target) => Promise<Done<AccountState>> {
  const { event, type } = STATUS_CHANGES[to]
  return async (transaction, { id, status }) => {
    if (status !== to) await writeStatus(transaction, id, to === 'suspended' ? reason : undefined)
    const result = await queryOnlyRow(transaction, READ_STATE, clock.shiftMs() / 1000, id)
    return { result, event: status === to ? undefined : event, domainEvent: { type, data: { account_id: id } } }
  }
}

/** Writes the status and revokes all sessions, on restoring too. A null `reason` is also a suspension. */
async function writeStatus(transaction: Transaction, id: number, reason: string | null | undefined): Promise<void> {
  const isSuspended = reason !== undefined
  await transaction.$executeRaw`
    UPDATE accounts SET status = ${isSuspended ? 'suspended' : 'active'}::"AccountStatus",
      suspended_at = CASE WHEN ${isSuspended} THEN now() END, suspension_reason = ${reason ?? null} WHERE id = ${id}`
  await revokeSessions(transaction, id)
}
