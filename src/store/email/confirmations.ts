import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import { maskEmail } from '../../domain/mask.ts'
import type { AuditEvent, EventName, AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import type { Database } from '../../database/index.ts'
import { allowRecovery, confirm, type EmailConfirmation, type TokensForOldAddress } from './address.ts'
import { useEmailToken } from './tokens.ts'
import { throwIfEmailTaken } from '../../database/database-errors.ts'
import { findAccountForUpdate } from '../accounts/find-account.ts'
import { profileUpdatedEvent } from '../profiles/events.ts'
import type { EnqueueEvents } from '../events/outbox.ts'

type Transaction = Prisma.TransactionClient
type Hash = Uint8Array<ArrayBuffer>

/** What a confirmation records: its audit events, and the e-mails about its result */
type Records = Readonly<{ auditContext: AuditContext; toMails: (done: EmailConfirmation) => readonly NewMail[] }>

/** All return undefined if the token or the code is no longer valid. */
export type EmailConfirmations = {
  /**
   * Confirms an address by the token of a link.
   *
   * @param bearer the session that sends the token; null without a login
   * @throws Failure 422 on `token` if another account now has the address
   */
  byToken(
    tokenHash: Hash,
    bearer: Bearer | null,
    made: TokensForOldAddress,
    records: Records,
  ): Promise<EmailConfirmation | undefined>
  /**
   * Confirms an address by a code that was already compared.
   *
   * @throws Failure 422 on `code` if another account now has the address
   */
  byCode(
    bearer: Bearer,
    code: { email: string; windowId: string },
    made: TokensForOldAddress,
    records: Records,
  ): Promise<EmailConfirmation | undefined>
}

const EVENTS: Readonly<Record<EmailConfirmation['outcome'], EventName>> = {
  verified: 'email_verified',
  changed: 'email_changed',
  recovery_allowed: 'email_recovery_allowed',
}

type Parts = { clock: Clock; log: Log; enqueueEvents: EnqueueEvents }

export function emailConfirmations(database: Database, { clock, log, enqueueEvents }: Parts): EmailConfirmations {
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  const toAuditEvents =
    (auditContext: AuditContext) =>
    (done: EmailConfirmation | undefined): AuditEvent[] => {
      if (!done) return []
      const { accountId } = done.before
      return [{ event: EVENTS[done.outcome], ...auditContext, accountId, subject: maskEmail(done.email) }]
    }
  const announced = async (
    transaction: Transaction,
    done: EmailConfirmation | undefined,
  ): Promise<EmailConfirmation | undefined> => {
    if (done) await enqueueEvents(transaction, await profileUpdatedEvent(transaction, done.before.accountId))
    return done
  }
  return {
    async byToken(tokenHash, bearer, made, { auditContext, toMails }) {
      const use = async (transaction: Transaction): Promise<EmailConfirmation | undefined> => {
        const account = await findAccountForUpdate(transaction, tokenHash, shift())
        if (account?.status !== 'active') return undefined
        const use = { tokenHash, accountId: account.accountId, shiftSeconds: shift() }
        const token = await useEmailToken(transaction, { ...use, purposes: ['verify', 'consent'] })
        if (!token) return undefined
        if (token.purpose === 'consent') return allowRecovery(transaction, account, token.email)
        const isOwn = bearer?.accountId === account.accountId && (await isLive(transaction, bearer))
        return announced(transaction, await confirm(transaction, account, { email: token.email, isOwn, ...made }))
      }
      return inTransaction(toAuditEvents(auditContext), use, toMails).catch(throwIfEmailTaken('token'))
    },
    async byCode(bearer, { email, windowId }, made, { auditContext, toMails }) {
      const use = async (transaction: Transaction): Promise<EmailConfirmation | undefined> => {
        const account = await findAccountForUpdate(transaction, bearer.accountId, shift())
        if (!account || !(await isLive(transaction, bearer))) return undefined
        const { count } = await transaction.emailCode.updateMany({
          where: { accountId: bearer.accountId, windowId },
          data: { windowId: null },
        })
        if (count === 0) return undefined
        await removeLastTry(transaction, bearer.accountId)
        return announced(transaction, await confirm(transaction, account, { email, isOwn: true, ...made }))
      }
      return inTransaction(toAuditEvents(auditContext), use, toMails).catch(throwIfEmailTaken('code'))
    },
  }
}

async function isLive(transaction: Transaction, { accountId, sessionId: id }: Bearer): Promise<boolean> {
  return (
    (await transaction.session.count({ where: { id, accountId, endedAt: null, account: { status: 'active' } } })) === 1
  )
}

/** Removes the last try from the wrong tries, because its code was right. */
async function removeLastTry(transaction: Transaction, accountId: number): Promise<void> {
  await transaction.$executeRaw`
    UPDATE email_codes SET wrong_at = wrong_at[1:cardinality(wrong_at) - 1] WHERE account_id = ${accountId}`
}
