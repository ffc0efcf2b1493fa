import { LIMITS } from '../../../generated/limits.ts'
import type { Context } from '../../context.ts'
import { toAuditContext, type AuditContext } from '../../domain/audit/audit-context.ts'
import { buildEmailLink } from '../../domain/emails/email-code.ts'
import type { NewMail } from '../../domain/mail.ts'
import { notifyBySms } from '../notifications/contact-change.ts'
import { composeMails, type RequestInfo } from '../notifications/mail.ts'

type Records<Account> = Readonly<{ auditContext: AuditContext; toMails: (account: Account) => NewMail[] }>
type Account = Readonly<{ id: number; email: string }>
type UndoableAccount = Account & Readonly<{ canUndo: boolean }>
type OwnPhone = Readonly<{ verifiedPhone: string | null; phoneCode: string }>

/** Returns what the transaction of a reset by e-mail records: the request, and the notice to the address. */
export function recordsByEmail({ client, language }: RequestInfo, context: Context): Records<Account> {
  const reference = client.requestId
  return {
    auditContext: toAuditContext(client),
    toMails: ({ id: accountId, email: to }) =>
      composeMails([{ accountId, to, about: 'password', language, reference }], context),
  }
}

/** Returns what the transaction of a reset by phone records: the request, and the notice by e-mail that can undo it. */
export function recordsByPhone(
  { client, language }: RequestInfo,
  context: Context,
): Records<UndoableAccount> & { undoHash: Uint8Array<ArrayBuffer> } {
  const { resetTokens, emailUrl } = context
  const reference = client.requestId
  const token = resetTokens.newToken()
  const link = buildEmailLink(emailUrl, token, 'undo-reset')
  const values = { link, days: LIMITS.email.undo_days, hours: LIMITS.recovery.hold_hours }
  return {
    auditContext: toAuditContext(client),
    undoHash: resetTokens.hash(token),
    toMails: ({ id: accountId, email: to, canUndo }) => {
      const about = canUndo ? 'password_reset' : 'password'
      return composeMails([{ accountId, to, about, values, language, reference }], context)
    },
  }
}

/** Announces a reset by e-mail to the verified phone number. */
export function announceBySms(
  { id: accountId, verifiedPhone: e164, phoneCode: callingCode }: Account & OwnPhone,
  request: RequestInfo,
  context: Context,
): void {
  if (e164 !== null) notifyBySms({ accountId, phone: { e164, callingCode } }, 'reset_sms', request, context)
}
