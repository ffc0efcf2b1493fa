import type { Bind, Part } from '../../database/composed.ts'
import type { AuditContext, AuditEvent } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import { maskEmail } from '../../domain/mask.ts'
import { endSessions, INVALIDATE_RECOVERY } from '../accounts/revocations.ts'
import { setAccount } from '../accounts/update-account.ts'
import type { Written } from '../changes.ts'
import type { Recovered } from './sql.ts'

/** What a reset records: its audit event, and the e-mails to the account */
export type Records = Readonly<{ auditContext: AuditContext; toMails: (recovered: Recovered) => readonly NewMail[] }>

/** Returns what a reset writes. */
export function toReset(
  account: Recovered,
  { passwordHash, suspended }: { passwordHash: string; suspended: string },
  { auditContext, toMails }: Records,
): Written<object> {
  return {
    parts: (bind) => resetParts(passwordHash, suspended, bind),
    auditEvents: [toAuditEvent('password_reset', account, auditContext)],
    mails: toMails(account),
  }
}

/**
 * Returns the parts that set the password of an account. They revoke all sessions and invalidate all other tokens, codes and
 * former numbers that can recover the account.
 *
 * @param suspended RESET_BY_EMAIL or RESET_BY_PHONE: the assignments that suspend an identifier that was verified later
 */
function resetParts(passwordHash: string, suspended: string, bind: Bind): Part[] {
  return [
    setAccount(`password_hash = ${bind(passwordHash)}, ${suspended}`),
    endSessions(bind),
    ...INVALIDATE_RECOVERY,
    { name: 'former', sql: 'DELETE FROM former_phones f USING target t WHERE f.account_id = t.account_id' },
  ]
}

/** The subject of the event is the identifier that was used. */
export function toAuditEvent(
  event: 'password_reset' | 'email_released',
  { id: accountId, email }: Recovered,
  auditContext: AuditContext,
): AuditEvent {
  return { event, accountId, ...auditContext, subject: auditContext.subject ?? maskEmail(email) }
}
