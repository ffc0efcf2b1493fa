import type { Prisma } from '../../generated/prisma/client.ts'
import type { AccountState, Actor, Deed } from '../domain/administration.ts'
import type { Clock } from '../domain/clock.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import { reviewRefusal, type Decision } from '../domain/review.ts'
import type { EventName } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { endSessions } from './own-account.ts'
import { STATE } from './users.ts'

/**
 * What administrators do to accounts: all of it with its event in the audit trail, or nothing. What is so already stays
 * as it is, without an event.
 *
 * @throws Failure 401 `token_revoked` or 403 `admin_required` when the actor may not do it (any more), 404
 * `user_unknown`, 422 on `user_id` when the account is the actor's own, or of the wrong kind
 */
export type Administration = {
  /** Ends all sessions too. */
  suspend(deed: Deed): Promise<AccountState>
  restore(deed: Deed): Promise<AccountState>
  review(deed: Omit<Deed, 'reason'>, decision: Decision & { note: string | null }): Promise<void>
  /** Gives an account administrator privileges, or takes them. Resolves to whether anything has changed. */
  setAdmin(deed: Deed, isAdmin: boolean): Promise<boolean>
}

type Transaction = Prisma.TransactionClient
type Done<Answer> = { answer: Answer; event: EventName | undefined }

export function administration(database: Database, { clock, log }: { clock: Clock; log: Log }): Administration {
  const inTransaction = audited(database, log)

  const perform = async <Answer>(
    { accountId, actor, reason, trace }: Deed,
    change: (transaction: Transaction, target: Target) => Promise<Done<Answer>>,
  ): Promise<Answer> => {
    const actorId = actor === 'command line' ? {} : { actorId: actor.accountId }
    const { answer } = await inTransaction<Done<Answer>>(
      ({ event }) => (event ? [{ event, accountId, ...actorId, reason, ...trace }] : []),
      async (transaction) => change(transaction, await hold(transaction, accountId, actor)),
    )
    return answer
  }
  const stateOf = async (transaction: Transaction, accountId: number): Promise<AccountState> => {
    const text = `SELECT ${STATE} FROM accounts a WHERE a.id = $2`
    const [state] = await transaction.$queryRawUnsafe<AccountState[]>(text, clock.shiftMs() / 1000, accountId)
    if (!state) throw new Error('an account that is held is not there')
    return state
  }
  const setStatus = (deed: Deed, to: AccountState['status'], event: EventName): Promise<AccountState> =>
    perform(deed, async (transaction, { id, status }) => {
      if (status !== to) await writeStatus(transaction, id, to === 'suspended' ? deed.reason : undefined)
      return { answer: await stateOf(transaction, id), event: status === to ? undefined : event }
    })
  return {
    suspend: (deed) => setStatus(deed, 'suspended', 'user_suspended'),
    restore: (deed) => setStatus(deed, 'active', 'user_restored'),
    review: ({ actor, accountId, trace }, { status, reason, note }) =>
      perform({ actor, accountId, trace, reason: note }, async (transaction, { id }) => {
        const isSame = await isReviewed(transaction, id, { status, reason })
        const data = { reviewStatus: status, reviewReason: reason }
        if (!isSame)
          await transaction.lawyerProfile.update({ where: { accountId: id }, data, select: { accountId: true } })
        return { answer: undefined, event: isSame ? undefined : `lawyer_${status}` }
      }),
    setAdmin: (deed, isAdmin) =>
      perform(deed, async (transaction, target) => {
        if (target.isAdmin === isAdmin) return { answer: false, event: undefined }
        await transaction.account.update({ where: { id: target.id }, data: { isAdmin }, select: { id: true } })
        return { answer: true, event: isAdmin ? 'admin_granted' : 'admin_revoked' }
      }),
  }
}

type Target = { id: number; status: AccountState['status']; isAdmin: boolean }
type Held = Target & { asks: boolean }

/**
 * Holds the account and that of the actor until the end of the transaction, in the order of their ids, so that of two
 * administrators who suspend each other one is too late.
 */
async function hold(transaction: Transaction, accountId: number, actor: Actor): Promise<Target> {
  const bearer = actor === 'command line' ? undefined : actor
  const rows = await transaction.$queryRaw<Held[]>`
    SELECT a.id, a.status, a.is_admin AS "isAdmin", a.status = 'active' AND EXISTS (
      SELECT FROM sessions s WHERE s.id = ${bearer?.sessionId ?? null}::uuid AND s.account_id = a.id AND s.ended_at IS NULL
    ) AS asks
    FROM accounts a WHERE a.id IN (${accountId}, ${bearer?.accountId ?? accountId}) ORDER BY a.id FOR NO KEY UPDATE`
  if (bearer) {
    const asking = rows.find(({ id }) => id === bearer.accountId)
    if (!asking?.asks) throw new Failure('token_revoked')
    if (!asking.isAdmin) throw new Failure('admin_required')
    if (bearer.accountId === accountId) throw invalidData({ user_id: ['own_account'] })
  }
  const target = rows.find(({ id }) => id === accountId)
  if (!target) throw new Failure('user_unknown')
  return target
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
async function isReviewed(transaction: Transaction, id: number, { status, reason }: Decision): Promise<boolean> {
  const { accountType, profile, lawyer } = await transaction.account.findUniqueOrThrow({
    where: { id },
    select: {
      accountType: true,
      profile: { select: { gender: true } },
      lawyer: { select: { nationalId: true, reviewStatus: true, reviewReason: true } },
    },
  })
  const refusal = reviewRefusal({ accountType, gender: profile?.gender ?? null, lawyer })
  if (refusal) throw invalidData({ user_id: [refusal] })
  return lawyer?.reviewStatus === status && lawyer.reviewReason === reason
}
