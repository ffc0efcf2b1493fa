import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Contact } from '../../domain/contact.ts'
import { maskEmail } from '../../domain/mask.ts'
import type { AuditEvent, Trace } from '../../domain/trace.ts'
import type { Log } from '../../log.ts'
import { audited } from '../audit.ts'
import type { Database } from '../database.ts'
import { endVerification, useEmailToken, type EmailToken } from './tokens.ts'
import { refuseTakenEmail } from '../faults.ts'
import { findAndHold, type FoundAccount } from '../held-account.ts'
import { NOW } from '../now.ts'
import { endRecovery, endSessions } from '../own-account.ts'
import { profileNews } from '../profile-news.ts'
import { RELEASED_EMAIL } from '../recovery/sql.ts'
import type { Tell } from '../tell.ts'

type Transaction = Prisma.TransactionClient
type Hash = Uint8Array<ArrayBuffer>

/** What a token of the old address has done: `email` is that address, and `before` the account before it. */
export type EmailCancellation = Readonly<{
  outcome: 'cancelled' | 'undone'
  email: string
  before: Contact
  /** Another account that had taken the restored address without verifying it, and lost it */
  releasedId: number | undefined
}>

export type EmailCancellations = {
  /** Whether a token is good. */
  has(tokenHash: Hash): Promise<boolean>
  /**
   * Cancels the pending change of an address, or undoes the change.
   *
   * @param made what an account whose change is undone gets: the hash of an unknown password, and of a token that
   * sets a new one
   * @returns undefined if the token is no good any more
   * @throws Failure 422 on `token` if another account has verified the old address by now
   */
  use(tokenHash: Hash, made: Replacement, trace: Trace): Promise<EmailCancellation | undefined>
}

type Replacement = Readonly<{ passwordHash: string; resetHash: Hash }>

const HAS = `SELECT 1 FROM email_tokens WHERE token_hash = $2 AND purpose IN ('cancel', 'undo') AND expires_at > ${NOW}`

const ADD_RESET = `
  INSERT INTO password_resets (account_id, token_hash, expires_at)
  VALUES ($2, $3, ${NOW} + interval '${LIMITS.reset.minutes} minutes')`

/** Takes the restored address from an account that has not verified it: a thief could register it to block the undo. */
const RELEASE = `
  UPDATE accounts SET email = ${RELEASED_EMAIL}, email_changed_at = ${NOW}, pending_email = NULL
  WHERE email = $2 AND id <> $3 AND email_verified_at IS NULL RETURNING id`

type Parts = { clock: Clock; log: Log; tell: Tell }

export function emailCancellations(database: Database, { clock, log, tell }: Parts): EmailCancellations {
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async has(tokenHash) {
      return (await database.pool.query(HAS, [shift(), tokenHash])).rowCount === 1
    },
    async use(tokenHash, made, trace) {
      return inTransaction(eventsOf(trace), async (transaction) => {
        const account = await findAndHold(transaction, tokenHash, shift())
        if (!account) return undefined
        const { accountId } = account
        const use = { tokenHash, accountId, shiftSeconds: shift() }
        const token = await useEmailToken(transaction, { ...use, purposes: ['cancel', 'undo'] })
        if (!token) return undefined
        const done =
          token.purpose === 'cancel'
            ? await cancel(transaction, account)
            : await undo(transaction, account, { token, shiftSeconds: shift(), ...made })
        if (done) await tell(transaction, await profileNews(transaction, accountId))
        return done
      }).catch(refuseTakenEmail('token'))
    },
  }
}

function eventsOf(trace: Trace): (done: EmailCancellation | undefined) => AuditEvent[] {
  return (done) => {
    if (!done) return []
    const { outcome, email, before, releasedId } = done
    const event = outcome === 'cancelled' ? 'email_change_cancelled' : 'email_change_undone'
    const own = { event, ...trace, accountId: before.accountId, subject: maskEmail(email) } as const
    return releasedId === undefined ? [own] : [own, { event: 'email_released', ...trace, accountId: releasedId }]
  }
}

async function cancel(transaction: Transaction, account: FoundAccount): Promise<EmailCancellation | undefined> {
  const { accountId, email, pendingEmail } = account
  if (pendingEmail === null) return undefined
  await endVerification(transaction, accountId)
  await transaction.emailToken.deleteMany({ where: { accountId, purpose: 'cancel' } })
  await transaction.account.update({ where: { id: accountId }, data: { pendingEmail: null }, select: { id: true } })
  return { outcome: 'cancelled', email, before: account, releasedId: undefined }
}

type Undo = Replacement & { token: EmailToken; shiftSeconds: number }

/** Gives the account back to the reader of the old address, who has to set a new password. */
async function undo(
  transaction: Transaction,
  account: FoundAccount,
  { token: { email, verifiedAt, expiresAt }, passwordHash, resetHash, shiftSeconds }: Undo,
): Promise<EmailCancellation> {
  const { accountId, now } = account
  const [released] = await transaction.$queryRawUnsafe<{ id: number }[]>(RELEASE, shiftSeconds, email, accountId)
  if (released) await endAll(transaction, released.id)
  await endAll(transaction, accountId)
  await endSessions(transaction, accountId)
  // Tokens of earlier changes stay: who has changed the address twice must not lock out the owner of the first one.
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

/** Ends what was sent to verify the address of an account or to set its password. */
async function endAll(transaction: Transaction, accountId: number): Promise<void> {
  await endVerification(transaction, accountId)
  await endRecovery(transaction, accountId)
}
