import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'
import { NOW } from '../../database/query.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail } from '../../domain/text.ts'
import { revoke } from '../revocation/index.ts'
import type { ModelChange } from '../changes.ts'
import { removeYoungFactors, type Records as FactorRecords } from '../factors/enrollment.ts'
import { DELETE_FORMER_PHONES, suspendIf, VERIFY_EMAIL } from './locks.ts'
import type { Recovered, Resetting } from './sql.ts'
import { HOLD_PERIOD } from './former-email.ts'
import { endYoungerUndo } from './phone-undo.ts'
import { addUndo, DELETE_NEEDLESS_UNDOS, HAS_UNDO } from './undo.ts'

/** What a reset records: its audit event, and the e-mails to the account */
export type Records<Account> = Readonly<{
  auditContext: AuditContext
  /** The hash of the token that undoes a reset by phone */
  undoHash?: Uint8Array<ArrayBuffer>
  toMails: (account: Account) => readonly NewMail[]
  /** What is recorded if it removes second factors */
  removal: FactorRecords
}>

/** What a reset by a verified identifier, or by an unverified address and a code, writes besides the password */
const ALSO: Readonly<Record<'email' | 'phone' | 'unverifiedEmail', Assigned>> = {
  // A number that reset the password within the days of its undo is suspended like by the undo, which the owner may not have used.
  email: suspendIf('phone', `(${isRecent('phone')} OR ${HAS_UNDO})`),
  phone: suspendIf('email', isRecent('email')),
  unverifiedEmail: VERIFY_EMAIL,
}

export type Reset = Readonly<{ passwordHash: string; by: keyof typeof ALSO }>

/**
 * Resets the password of a locked account by an identifier that is older than the factors that are not established: they can be
 * those of another person, and are removed.
 */
export async function reset<Account extends Recovered & Resetting & { isRestored?: true; canUndo?: boolean }>(
  change: ModelChange,
  account: Account,
  made: Reset,
  { auditContext, undoHash, toMails, removal }: Records<Account>,
): Promise<void> {
  const { id: accountId, email, now, hasFactors, isRestored, canUndo } = account
  const addedUndo = (bind: Bind): Part[] => (undoHash && canUndo ? [addUndo(undoHash, bind)] : [])
  if (hasFactors) await removeYoungFactors(change, { accountId, email }, { at: now, ...removal })
  await change.write(accountId, {
    parts: (bind) => [...resetParts(made, bind), ...(made.by === 'phone' ? addedUndo(bind) : [DELETE_NEEDLESS_UNDOS])],
    isUpdate: isRestored ?? 'if changed',
    auditEvents: [toAuditEvent('password_reset', account, auditContext)],
    mails: toMails(account),
  })
}

/** Returns the parts that set the password of an account, with a revocation that also ends former numbers. */
function resetParts({ passwordHash, by }: Reset, bind: Bind): Part[] {
  return [
    ...revoke({ askedBy: null, assigned: { ...assigned({ passwordHash }, bind), ...ALSO[by] } }, bind),
    DELETE_FORMER_PHONES,
    ...(by === 'email' ? [endYoungerUndo('a.email_verified_at')] : []),
  ]
}

/**
 * Whether an identifier was verified within the last waiting period: it may be that of an attacker. One that was verified
 * earlier proves the owner as well as the one that resets the password.
 */
function isRecent(identifier: 'email' | 'phone'): string {
  return `a.${identifier}_verified_at > ${NOW} - ${HOLD_PERIOD}`
}

/** The subject of the event is the identifier that was used. */
export function toAuditEvent(
  event: 'password_reset' | 'email_released',
  { id: accountId, email }: Recovered,
  auditContext: AuditContext,
): AuditEvent {
  return { event, accountId, ...auditContext, subject: auditContext.subject ?? maskEmail(email) }
}
