import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Contact } from '../../domain/accounts/contact.ts'
import { maskEmail } from '../../domain/mask.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import { select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { invalidateVerification, useEmailToken, type EmailToken } from './tokens.ts'
import { throwIfEmailTaken } from '../../database/database-errors.ts'
import { findAccountForUpdate, type LockedAccountState } from '../accounts/find-account.ts'
import { NOW } from '../../database/now.ts'
import { query, queryRow } from '../../database/query.ts'
import { invalidateRecovery, revokeSessions } from '../accounts/revocations.ts'
import { profileUpdatedEvent } from '../profiles/events.ts'
import { RELEASED_EMAIL } from '../recovery/sql.ts'
import type { EnqueueEvents } from '../events/outbox.ts'

type Transaction = Prisma.TransactionClient
type Hash = Uint8Array<ArrayBuffer>

/** The result of a token of the old address: `email` is that address, and `before` the account before the change. */
export type EmailCancellation = Readonly<{
  outcome: 'cancelled' | 'undone'
  email: string
  before: Contact
  /** Another account that had the restored address unverified, and lost it */
  releasedId: number | undefined
}>

export type EmailCancellations = {
  /** Returns whether a token is valid. */
  has(tokenHash: Hash): Promise<boolean>
  /**
   * Cancels the pending change of an address, or undoes the change.
   *
   * @param made new values for an undone change: the hash of an unknown password, and of a token that resets it
   * @returns undefined if the token is no longer valid
   * @throws Failure 422 on `token` if another account has since verified the old address
   */
  use(tokenHash: Hash, made: Replacement, records: Records): Promise<EmailCancellation | undefined>
}

type Records = Readonly<{ auditContext: AuditContext; toMails: (done: EmailCancellation) => readonly NewMail[] }>
type Replacement = Readonly<{ passwordHash: string; resetHash: Hash }>

const HAS = `SELECT 1 FROM email_tokens WHERE token_hash = $2 AND purpose IN ('cancel', 'undo') AND expires_at > ${NOW}`

const ADD_RESET = `
  INSERT INTO password_resets (account_id, token_hash, expires_at)
  VALUES ($2, $3, ${NOW} + interval '${LIMITS.reset.minutes} minutes')`

/** Releases the restored address from an account that has not verified it. A thief could register it to block undo. */
const RELEASE = query(
  select<{ id: number }>({ id: table('Account', 'a').id }),
  (list) => `
    UPDATE accounts a SET email = ${RELEASED_EMAIL}, email_changed_at = ${NOW}, pending_email = NULL
    WHERE a.email = $2 AND a.id <> $3 AND a.email_verified_at IS NULL RETURNING ${list}`,
)

type Parts = { clock: Clock; log: Log; enqueueEvents: EnqueueEvents }

export function emailCancellations(database: Database, { clock, log, enqueueEvents }: Parts): EmailCancellations {
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async has(tokenHash) {
      return (await database.pool.query(HAS, [shift(), tokenHash])).rowCount === 1
    },
    async use(tokenHash, made, { auditContext, toMails }) {
      const use = async (transaction: Transaction): Promise<EmailCancellation | undefined> => {
        const account = await findAccountForUpdate(transaction, tokenHash, shift())
        if (!account) return undefined
        const { accountId } = account
        const use = { tokenHash, accountId, shiftSeconds: shift() }
        const token = await useEmailToken(transaction, { ...use, purposes: ['cancel', 'undo'] })
        if (!token) return undefined
        const done =
          token.purpose === 'cancel'
            ? await cancel(transaction, account)
            : await undo(transaction, account, { token, shiftSeconds: shift(), ...made })
        if (done) await enqueueEvents(transaction, await profileUpdatedEvent(transaction, accountId))
        return done
      }
      return inTransaction(toAuditEvents(auditContext), use, toMails).catch(throwIfEmailTaken('token'))
    },
  }
}

function toAuditEvents(auditContext: AuditContext): (done: EmailCancellation | undefined) => AuditEvent[] {
  return (done) => {
    if (!done) return []
    const { outcome, email, before, releasedId } = done
    const event = outcome === 'cancelled' ? 'email_change_cancelled' : 'email_change_undone'
    const own = { event, ...auditContext, accountId: before.accountId, subject: maskEmail(email) } as const
    return releasedId === undefined ? [own] : [own, { event: 'email_released', ...auditContext, accountId: releasedId }]
  }
}

async function cancel(transaction: Transaction, account: LockedAccountState): Promise<EmailCancellation | undefined> {
  const { accountId, email, pendingEmail } = account
  if (pendingEmail === null) return undefined
  await invalidateVerification(transaction, accountId)
  await transaction.emailToken.deleteMany({ where: { accountId, purpose: 'cancel' } })
  await transaction.account.update({ where: { id: accountId }, data: { pendingEmail: null }, select: { id: true } })
  return { outcome: 'cancelled', email, before: account, releasedId: undefined }
}

type Undo = Replacement & { token: EmailToken; shiftSeconds: number }

/** Restores the old address and revokes all sessions. The owner of the old address then has to set a new password. */
async function undo(
  transaction: Transaction,
  account: LockedAccountState,
  { token: { email, verifiedAt, expiresAt }, passwordHash, resetHash, shiftSeconds }: Undo,
): Promise<EmailCancellation> {
  const { accountId, now } = account
  const released = await queryRow(transaction, RELEASE, shiftSeconds, email, accountId)
  if (released) await invalidateTokens(transaction, released.id)
  await invalidateTokens(transaction, accountId)
  await revokeSessions(transaction, accountId)
  // Tokens of earlier changes remain valid, so that a second change cannot lock out the owner of the first address.
  await transaction.emailToken.deleteMany({
    where: { accountId, NOT: { purpose: 'undo', expiresAt: { lt: expiresAt } } },
  })
  const emailVerifiedAt = verifiedAt ?? now
  const restored = { email, emailVerifiedAt, emailRecoversFrom: now, emailChangedAt: now, pendingEmail: null }
  await transaction.account.updateMany({
    where: { id: accountId, phoneVerifiedAt: { gte: emailVerifiedAt } },
    data: { phoneRecoversFrom: null, phoneVerifiedAt: null },
  })
  await transaction.formerPhone.deleteMany({ where: { accountId, verifiedAt: { gte: emailVerifiedAt } } })
  await transaction.account.update({
    where: { id: accountId },
    data: { ...restored, passwordHash },
    select: { id: true },
  })
  await transaction.$executeRawUnsafe(ADD_RESET, shiftSeconds, accountId, resetHash)
  return { outcome: 'undone', email, before: account, releasedId: released?.id }
}

/** Invalidates everything that was sent to verify the address of an account or to reset its password. */
async function invalidateTokens(transaction: Transaction, accountId: number): Promise<void> {
  await invalidateVerification(transaction, accountId)
  await invalidateRecovery(transaction, accountId)
}
