import type { Assigned } from '../../database/composed.ts'
import type { NewUndo, OpenedUndo } from '../../domain/accounts/undo.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail } from '../../domain/text.ts'
import { revoke } from '../revocation/index.ts'
import type { ModelChange } from '../changes.ts'
import { removeYoungFactors, type Records as FactorRecords } from '../factors/enrollment.ts'
import type { Recovered, Resetting } from './sql.ts'
import { HOLD_PERIOD, UNDO_PERIOD, VERIFY_EMAIL } from './identifiers.ts'
import { openUndo } from '../undo/open.ts'
import { endYoungerCodes, endYoungerLinks } from '../undo/restore.ts'

/** What a reset records: its audit event, and the e-mails to the account */
export type Records<Account> = Readonly<{
  auditContext: AuditContext
  undo: NewUndo
  toMails: (account: Account, opened: OpenedUndo) => readonly NewMail[]
  /** What is recorded if it removes second factors */
  removal: FactorRecords
}>

/** Whether a reset by phone of the account `a` can still be undone */
const HAS_RESET_UNDO = `EXISTS (
  SELECT FROM email_tokens u WHERE u.account_id = a.id AND u.purpose = 'undo_reset' AND u.expires_at > service_now())`

/** What a reset by a verified identifier, or by an unverified address and a code, writes besides the password */
const ALSO: Readonly<Record<'email' | 'phone' | 'unverifiedEmail', Assigned>> = {
  // A number that reset the password within the days of its undo is suspended like by the undo, which the owner may not have used.
  email: suspendIf('phone', `(${isRecent('phone', 'email')} OR ${HAS_RESET_UNDO})`),
  phone: suspendIf('email', isRecent('email', 'phone')),
  unverifiedEmail: VERIFY_EMAIL,
}

export type Reset = Readonly<{ passwordHash: string; by: keyof typeof ALSO }>

/**
 * Resets the password of a locked account by an identifier that is older than the factors that are not established: they can be
 * those of another person, and are removed.
 */
export async function reset<Account extends Recovered & Resetting & { isRestored?: true }>(
  change: ModelChange,
  account: Account,
  { passwordHash, by }: Reset,
  { auditContext, undo, toMails, removal }: Records<Account>,
): Promise<OpenedUndo> {
  const { id: accountId, email, number: phone, now, hasFactors, isRestored } = account
  const opened = await openUndo(change, { accountId, phone }, undo, by === 'phone' ? 'resetByPhone' : 'resetByEmail')
  if (hasFactors) await removeYoungFactors(change, { accountId, email }, { at: now, ...removal })
  const { isUpdate } = await revoke(change, accountId, { askedBy: null, assigned: ALSO[by] }, { passwordHash })
  await endRecovery(change, account, by)
  await change.record(accountId, {
    isUpdate: isRestored ?? isUpdate,
    auditEvents: [toAuditEvent('password_reset', account, auditContext)],
    mails: toMails(account, opened),
  })
  return opened
}

/** Ends the former numbers, and what would undo the reset by an identifier that is younger than the one that made it. */
async function endRecovery(
  change: ModelChange,
  { id: accountId, now, emailVerifiedAt, phoneVerifiedAt }: Recovered & Resetting,
  by: Reset['by'],
): Promise<void> {
  const { tx } = change
  await tx.formerPhone.deleteMany({ where: { accountId } })
  if (by === 'phone') {
    if (phoneVerifiedAt) await endYoungerLinks(change, { accountId, now }, phoneVerifiedAt)
    return
  }
  // If the account has a second factor, what undoes a reset by phone remains valid: the factor may be that of the thief of the number,
  // and no password removes it.
  await tx.emailToken.deleteMany({ where: { accountId, purpose: 'undo_reset', account: { factorsSince: null } } })
  if (by === 'email') await endYoungerCodes(change, accountId, emailVerifiedAt)
}

/** Suspends an identifier from recovery for the waiting period if a condition holds. */
function suspendIf(identifier: 'email' | 'phone', condition: string): Assigned {
  const from = `a.${identifier}_recovers_from`
  const suspended = `CASE WHEN ${condition} THEN greatest(${from}, service_now() + ${HOLD_PERIOD}) ELSE ${from} END`
  return { [`${identifier}_recovers_from`]: `CASE WHEN ${from} IS NOT NULL THEN ${suspended} END` }
}

/**
 * Whether an identifier may be that of an attacker: it was verified within the last waiting period, or it is younger than the one that
 * resets the password and replaced another one within the days in which that can be undone.
 */
function isRecent(identifier: 'email' | 'phone', by: 'email' | 'phone'): string {
  return `(a.${identifier}_verified_at > service_now() - ${HOLD_PERIOD}
    OR (a.${identifier}_changed_at > service_now() - ${UNDO_PERIOD} AND a.${identifier}_verified_at > a.${by}_verified_at))`
}

/** The subject of the event is the identifier that was used. */
export function toAuditEvent(
  event: 'password_reset' | 'email_released',
  { id: accountId, email }: Recovered,
  auditContext: AuditContext,
): AuditEvent {
  return { event, accountId, ...auditContext, subject: auditContext.subject ?? maskEmail(email) }
}
