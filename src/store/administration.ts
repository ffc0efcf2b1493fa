import type { Prisma } from '../../generated/prisma/client.ts'
import type { AccountState, Deed } from '../domain/administration.ts'
import type { Clock } from '../domain/clock.ts'
import type { News } from '../domain/event.ts'
import { invalidData } from '../domain/failure.ts'
import { objectionsTo, reviewRefusal, type Decision } from '../domain/review.ts'
import type { EventName } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { credentialsOf } from './duplicates.ts'
import { holdTarget, type Target } from './hold-target.ts'
import { endSessions } from './own-account.ts'
import { VERIFY_EMAIL } from './recovery/sql.ts'
import type { Tell } from './tell.ts'
import { STATE } from './users.ts'

/**
 * What administrators do to accounts: all of it with its event in the audit trail, or nothing. What is so already stays
 * as it is, without an event.
 *
 * @throws Failure 401 `token_revoked` or 403 `admin_required` when the actor may not do it (any more), 404
 * `user_unknown`, 422 on `user_id` when the account is the actor's own, or of the wrong kind, or on `review_version`
 */
export type Administration = {
  /** Ends all sessions too. */
  suspend(deed: Deed): Promise<AccountState>
  restore(deed: Deed): Promise<AccountState>
  review(deed: Omit<Deed, 'reason'>, decision: Decision & { note: string | null }): Promise<void>
  /** Gives an account administrator privileges, or takes them. Resolves to whether anything has changed. */
  setAdmin(deed: Deed, isAdmin: boolean): Promise<boolean>
  /** Marks the e-mail address as verified: an operator has checked who its owner is. */
  verifyEmail(deed: Deed): Promise<void>
}

type Transaction = Prisma.TransactionClient
/** `event` is that of the audit trail; undefined where nothing has changed. */
type Done<Answer> = { answer: Answer; event: EventName | undefined; subject?: string | undefined; news?: News }
type Parts = { clock: Clock; log: Log; tell: Tell }

/** What a change of status is called, in the audit trail and where it is told. */
const STATUS_CHANGES = {
  suspended: { event: 'user_suspended', type: 'account.suspended' },
  active: { event: 'user_restored', type: 'account.restored' },
} as const

export function administration(database: Database, { clock, log, tell }: Parts): Administration {
  const inTransaction = audited(database, log)

  const perform = async <Answer>(
    { accountId, actor, reason, trace }: Deed,
    change: (transaction: Transaction, target: Target) => Promise<Done<Answer>>,
  ): Promise<Answer> => {
    const actorId = actor === 'command line' ? {} : { actorId: actor.accountId }
    const { answer } = await inTransaction<Done<Answer>>(
      ({ event, subject = trace.subject }) =>
        event ? [{ event, accountId, ...actorId, reason, ...trace, subject }] : [],
      async (transaction) => {
        const done = await change(transaction, await holdTarget(transaction, accountId, actor))
        if (done.event && done.news) await tell(transaction, done.news)
        return done
      },
    )
    return answer
  }
  const stateOf = async (transaction: Transaction, accountId: number): Promise<AccountState> => {
    const text = `SELECT ${STATE} FROM accounts a WHERE a.id = $2`
    const [state] = await transaction.$queryRawUnsafe<AccountState[]>(text, clock.shiftMs() / 1000, accountId)
    if (!state) throw new Error('an account that is held is not there')
    return state
  }
  const setStatus = (deed: Deed, to: AccountState['status']): Promise<AccountState> =>
    perform(deed, async (transaction, { id, status }) => {
      const { event, type } = STATUS_CHANGES[to]
      if (status !== to) await writeStatus(transaction, id, to === 'suspended' ? deed.reason : undefined)
      const answer = await stateOf(transaction, id)
      return { answer, event: status === to ? undefined : event, news: { type, data: { account_id: id } } }
    })
  return {
    suspend: (deed) => setStatus(deed, 'suspended'),
    restore: (deed) => setStatus(deed, 'active'),
    review: ({ actor, accountId, trace }, { note, ...decision }) =>
      perform({ actor, accountId, trace, reason: note }, async (transaction, { id }) => {
        const isSame = await isReviewed(transaction, id, decision)
        const { status, reason } = decision
        const data = { reviewStatus: status, reviewReason: reason }
        const news = { type: 'lawyer.reviewed', data: { account_id: id, review_status: status } } as const
        if (isSame) return { answer: undefined, event: undefined }
        const { duplicateOf, ...identity } = await credentialsOf(transaction, id)
        const subject = objectionsTo(identity, duplicateOf)
        await transaction.lawyerProfile.update({ where: { accountId: id }, data, select: { accountId: true } })
        return { answer: undefined, event: `lawyer_${status}`, subject, news }
      }),
    setAdmin: (deed, isAdmin) =>
      perform(deed, async (transaction, target) => {
        if (target.isAdmin === isAdmin) return { answer: false, event: undefined }
        await transaction.account.update({ where: { id: target.id }, data: { isAdmin }, select: { id: true } })
        return { answer: true, event: isAdmin ? 'admin_granted' : 'admin_revoked' }
      }),
    verifyEmail: (deed) =>
      perform(deed, async (transaction, target) => {
        await transaction.$executeRawUnsafe(VERIFY_EMAIL, clock.shiftMs() / 1000, target.id)
        return { answer: undefined, event: 'email_marked_verified' }
      }),
  }
}

/** Sessions that began while the account was suspended end when it is restored. */
async function writeStatus(transaction: Transaction, id: number, reason: string | null | undefined): Promise<void> {
  const isSuspended = reason !== undefined
  await transaction.$executeRaw`
    UPDATE accounts SET status = ${isSuspended ? 'suspended' : 'active'}::"AccountStatus",
      suspended_at = CASE WHEN ${isSuspended} THEN now() END, suspension_reason = ${reason ?? null} WHERE id = ${id}`
  await endSessions(transaction, id)
}

/** Whether a lawyer was reviewed like this already. */
async function isReviewed(
  transaction: Transaction,
  id: number,
  { status, reason, version }: Decision,
): Promise<boolean> {
  const { accountType, profile, lawyer } = await transaction.account.findUniqueOrThrow({
    where: { id },
    select: {
      accountType: true,
      profile: { select: { gender: true } },
      lawyer: { select: { nationalId: true, reviewStatus: true, reviewReason: true, reviewVersion: true } },
    },
  })
  const refusal = reviewRefusal({ accountType, gender: profile?.gender ?? null, lawyer })
  if (refusal) throw invalidData({ user_id: [refusal] })
  if (version !== lawyer?.reviewVersion) throw invalidData({ review_version: ['outdated'] })
  return lawyer.reviewStatus === status && lawyer.reviewReason === reason
}
