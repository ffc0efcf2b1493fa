import type { Bearer, Contact } from '../../domain/accounts/account.ts'
import { cancelsDeletion, changedAt, getsLink } from '../../domain/accounts/undo.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail, maskPhone } from '../../domain/text.ts'
import { column, query, queryRow, table } from '../../database/sql.ts'
import { throwIfEmailTaken, undefinedIfPhoneTaken } from '../../database/unique-conflicts.ts'
import { lockAndAuthorizeAccount } from '../accounts/lock-account.ts'
import type { ModelChange, StoreParts } from '../changes.ts'
import { invalidateEmailCode } from '../email/codes.ts'
import { removeYoungFactors, type Records as FactorRecords } from '../factors/enrollment.ts'
import { cancelledReset } from '../factors/state.ts'
import { RELEASED_EMAIL } from '../recovery/identifiers.ts'
import { revoke } from '../revocation/index.ts'
import { lockUndoable, type Undoable } from './lock.ts'
import { restore, restoreFactors, type Replacement } from './restore.ts'

type Hash = Uint8Array<ArrayBuffer>

/** What a proof has done */
export type Undone = Readonly<{
  outcome: 'cancelled' | 'undone'
  /** The restored address */
  email: string
  /** Whether a link that sets the password is sent to that address */
  hasLink: boolean
  /** The account before it was restored */
  before: Contact
  /** Another account that had the restored address unverified, and lost it */
  releasedId: number | undefined
}>

export type Undos = {
  /**
   * Cancels the pending change of the e-mail address of the account of a token, if any. Never undoes a confirmed one.
   *
   * @throws Failure 401 `token_revoked`
   */
  cancelOwn(bearer: Bearer, auditContext: AuditContext): Promise<void>
  /** Notes that a code was sent to its number: further changes of the next hours get none. */
  noteSent(codeHash: Hash): Promise<void>
  /** Returns whether a token, or a code for a number, is valid. */
  has(hashes: readonly Hash[]): Promise<boolean>
  /**
   * Cancels the pending change of the address, or undoes all changes since the first notice to the identifier.
   *
   * @param hashes the hashes of the token, or of the code for a number
   * @returns undefined if the proof is no longer valid, or another account has since verified the number
   * @throws Failure 422 on `token` or `otp` if another account has since verified the old address
   */
  use(
    proof: { hashes: readonly Hash[]; by: Undoable['by'] },
    made: Replacement,
    records: Records,
  ): Promise<Undone | undefined>
}

type Records = Readonly<{
  auditContext: AuditContext
  toMails: (done: Undone) => readonly NewMail[]
  /** What the removal of second factors records */
  removal: FactorRecords
}>

const NOTE_SENT = `UPDATE email_tokens SET sent_at = service_now() WHERE token_hash = $1`

const HAS = `
  SELECT 1 FROM email_tokens WHERE token_hash = ANY ($1::bytea[])
    AND purpose IN ('cancel', 'undo', 'undo_reset', 'undo_by_phone') AND expires_at > service_now()`

/** A code does not prove the old address `$2`. Another account keeps it that has verified it, or has it at all if `$3`. */
const HELD = query<{ placeholder: string }>(
  { placeholder: column(RELEASED_EMAIL) },
  (list) => `
    SELECT ${list} FROM accounts a WHERE a.id = $1 AND EXISTS (
      SELECT FROM accounts o WHERE o.email = $2 AND o.id <> a.id AND (o.email_verified_at IS NOT NULL OR $3::boolean))`,
)

/** Releases the restored address from an account that has not verified it. A thief could register it to block undo. */
const RELEASE = query<{ id: number }>(
  { id: table('Account', 'a').id },
  (list) => `
    UPDATE accounts a SET email = ${RELEASED_EMAIL}, email_changed_at = service_now(), pending_email = NULL
    WHERE a.email = $1 AND a.id <> $2 AND a.email_verified_at IS NULL RETURNING ${list}`,
)

export function undos({ pool, inModelChange }: StoreParts): Undos {
  return {
    async cancelOwn(bearer, auditContext) {
      await inModelChange(async (change) => {
        const before = await lockAndAuthorizeAccount(change, bearer)
        const { accountId, pendingEmail } = before
        if (pendingEmail === null) return
        const event = { ...CANCELLED, ...auditContext, accountId, subject: maskEmail(before.email) }
        await cancel(change, accountId)
        await change.record(accountId, { isUpdate: true, auditEvents: [event] })
      })
    },
    async noteSent(codeHash) {
      await pool.query(NOTE_SENT, [codeHash])
    },
    async has(hashes) {
      return (await pool.query(HAS, [hashes])).rowCount === 1
    },
    use: ({ hashes, by }, made, records) =>
      inModelChange(async (change) => {
        const undoable = await lockUndoable(change, hashes, by)
        return undoable && (undoable.cancels ? cancelPending : undo)(change, undoable, { made, ...records })
      })
        .catch(throwIfEmailTaken(by === 'phone' ? 'otp' : 'token'))
        .catch(undefinedIfPhoneTaken),
  }
}

const CANCELLED = { event: 'email_change_cancelled' } as const

/** Removes the pending address. */
async function cancel(change: ModelChange, accountId: number): Promise<void> {
  const { tx } = change
  await tx.account.update({ where: { id: accountId }, data: { pendingEmail: null }, select: { id: true } })
  await tx.emailToken.deleteMany({ where: { accountId, purpose: { in: ['verify', 'cancel'] } } })
  await invalidateEmailCode(change, accountId)
}

type Used = Records & Readonly<{ made: Replacement }>

async function cancelPending(
  change: ModelChange,
  { account: before }: Undoable,
  { auditContext, toMails }: Used,
): Promise<Undone | undefined> {
  const { accountId, email } = before
  const done = { outcome: 'cancelled', email, hasLink: false, before, releasedId: undefined } as const
  const event = { ...CANCELLED, ...auditContext, accountId, subject: maskEmail(email) }
  await cancel(change, accountId)
  await change.record(accountId, {
    isUpdate: true,
    ...(before.pendingEmail !== null && { auditEvents: [event], mails: toMails(done) }),
  })
  return before.pendingEmail === null ? undefined : done
}

async function undo(
  change: ModelChange,
  undoable: Undoable,
  { made, auditContext, toMails, removal }: Used,
): Promise<Undone | undefined> {
  const { transaction } = change
  const { account, by, before, expiresAt } = undoable
  const { accountId } = account
  const { email, emailVerifiedAt, emailByLink } = before
  const held =
    by === 'phone'
      ? await queryRow(transaction, HELD, accountId, email, emailVerifiedAt === null || emailByLink)
      : undefined
  const placeholder = held && { email: held.placeholder, emailVerifiedAt: null, emailByLink: false }
  const restored = { ...undoable, before: { ...before, ...placeholder } }
  const released = held ? undefined : await queryRow(transaction, RELEASE, email, accountId)
  if (released) {
    await revoke(change, released.id, { askedBy: null })
    await change.record(released.id, { isUpdate: true })
  }
  const hasLink = account.status === 'active' && getsLink(by, restored.before, account.now)
  const done = {
    outcome: 'undone',
    email: restored.before.email,
    hasLink,
    before: account,
    releasedId: released?.id,
  } as const
  await restore(change, restored, hasLink ? made : { ...made, resetHash: undefined })
  await change.record(accountId, {
    isUpdate: true,
    auditEvents: toAuditEvents(done, restored, auditContext),
    mails: toMails(done),
  })
  const since = changedAt(expiresAt)
  await removeYoungFactors(change, { accountId, email }, { at: since, ...removal })
  await restoreFactors(change, accountId, before, since)
  return done
}

function toAuditEvents(
  { email, releasedId }: Undone,
  { account, by, before, expiresAt }: Undoable,
  auditContext: AuditContext,
): AuditEvent[] {
  const { accountId, deletionDueAt } = account
  const event = by === 'email' && email !== account.email ? 'email_change_undone' : 'changes_undone'
  const subject = by === 'phone' ? maskPhone(before.phone ?? '') : maskEmail(email)
  const about = { ...auditContext, accountId }
  return [
    { event, ...about, subject },
    ...(account.factorsKeptAt ? [] : cancelledReset(account, { ...about, subject: null })),
    ...(cancelsDeletion(deletionDueAt, changedAt(expiresAt))
      ? [{ event: 'deletion_cancelled', ...about } as const]
      : []),
    ...(releasedId === undefined ? [] : [{ event: 'email_released', ...auditContext, accountId: releasedId } as const]),
  ]
}
