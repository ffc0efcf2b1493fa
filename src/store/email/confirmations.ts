import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Bearer } from '../../domain/account.ts'
import type { Clock } from '../../domain/clock.ts'
import { maskEmail } from '../../domain/mask.ts'
import type { AuditEvent, EventName, Trace } from '../../domain/trace.ts'
import type { Log } from '../../log.ts'
import { audited } from '../audit.ts'
import type { Database } from '../database.ts'
import { allowRecovery, confirm, type EmailConfirmation, type TokensForOldAddress } from './address.ts'
import { useEmailToken } from './tokens.ts'
import { refuseTakenEmail } from '../faults.ts'
import { findAndHold } from '../held-account.ts'
import { profileNews } from '../profile-news.ts'
import type { Tell } from '../tell.ts'

type Transaction = Prisma.TransactionClient
type Hash = Uint8Array<ArrayBuffer>

/** All resolve to undefined if the token or the code is no good any more. */
export type EmailConfirmations = {
  /**
   * @param bearer who has the token, if they have logged in
   * @throws Failure 422 on `token` if another account has the address by now
   */
  byToken(
    tokenHash: Hash,
    bearer: Bearer | null,
    made: TokensForOldAddress,
    trace: Trace,
  ): Promise<EmailConfirmation | undefined>
  /** The same with a code that was right; the failure is on `code`. */
  byCode(
    bearer: Bearer,
    code: { email: string; windowId: string },
    made: TokensForOldAddress,
    trace: Trace,
  ): Promise<EmailConfirmation | undefined>
}

const EVENTS: Readonly<Record<EmailConfirmation['outcome'], EventName>> = {
  verified: 'email_verified',
  changed: 'email_changed',
  recovery_allowed: 'email_recovery_allowed',
}

type Parts = { clock: Clock; log: Log; tell: Tell }

export function emailConfirmations(database: Database, { clock, log, tell }: Parts): EmailConfirmations {
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  const eventsOf =
    (trace: Trace) =>
    (done: EmailConfirmation | undefined): AuditEvent[] => {
      if (!done) return []
      const { accountId } = done.before
      return [{ event: EVENTS[done.outcome], ...trace, accountId, subject: maskEmail(done.email) }]
    }
  const announced = async (
    transaction: Transaction,
    done: EmailConfirmation | undefined,
  ): Promise<EmailConfirmation | undefined> => {
    if (done) await tell(transaction, await profileNews(transaction, done.before.accountId))
    return done
  }
  return {
    async byToken(tokenHash, bearer, made, trace) {
      return inTransaction(eventsOf(trace), async (transaction) => {
        const account = await findAndHold(transaction, tokenHash, shift())
        if (account?.status !== 'active') return undefined
        const use = { tokenHash, accountId: account.accountId, shiftSeconds: shift() }
        const token = await useEmailToken(transaction, { ...use, purposes: ['verify', 'consent'] })
        if (!token) return undefined
        if (token.purpose === 'consent') return allowRecovery(transaction, account, token.email)
        const isOwn = bearer?.accountId === account.accountId && (await isLive(transaction, bearer))
        return announced(transaction, await confirm(transaction, account, { email: token.email, isOwn, ...made }))
      }).catch(refuseTakenEmail('token'))
    },
    async byCode(bearer, { email, windowId }, made, trace) {
      return inTransaction(eventsOf(trace), async (transaction) => {
        const account = await findAndHold(transaction, bearer.accountId, shift())
        if (!account || !(await isLive(transaction, bearer))) return undefined
        const { count } = await transaction.emailCode.updateMany({
          where: { accountId: bearer.accountId, windowId },
          data: { windowId: null },
        })
        if (count === 0) return undefined
        await forgetTry(transaction, bearer.accountId)
        return announced(transaction, await confirm(transaction, account, { email, isOwn: true, ...made }))
      }).catch(refuseTakenEmail('code'))
    },
  }
}

async function isLive(transaction: Transaction, { accountId, sessionId: id }: Bearer): Promise<boolean> {
  return (
    (await transaction.session.count({ where: { id, accountId, endedAt: null, account: { status: 'active' } } })) === 1
  )
}

/** The try that was right is none of the wrong ones of the day. */
async function forgetTry(transaction: Transaction, accountId: number): Promise<void> {
  await transaction.$executeRaw`
    UPDATE email_codes SET wrong_at = wrong_at[1:cardinality(wrong_at) - 1] WHERE account_id = ${accountId}`
}
