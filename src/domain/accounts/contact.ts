import { maskEmail, maskPhone } from '../mask.ts'
import type { AuditEvent, AuditContext } from '../audit/audit-context.ts'

/** The contact data of an account, as needed for notices about changes. */
export type Contact = Readonly<{
  accountId: number
  email: string
  /** E.164 */
  phone: string
  phoneCode: string
  phoneVerified: boolean
}>

/** What becomes of the address of an account, and whether the current one can cancel a pending change */
export type EmailChange = Readonly<{ outcome: 'unchanged' | 'replaced' | 'pending'; canCancel: boolean }>

/** The changes of an account's e-mail address and phone number by a profile update. */
export type ContactChange = Readonly<{
  before: Contact
  email: EmailChange & Readonly<{ to: string }>
  /** The new number in E.164; undefined if it is unchanged */
  newPhone: string | undefined
}>

/** An e-mail address in an update, with the data to have it confirmed. */
export type RequestedEmail = Readonly<{
  email: string
  /** Whether e-mail can be sent, which is required to confirm an address */
  isConfirmable: boolean
  /** The hash of the token that cancels a pending change */
  cancelHash: Uint8Array<ArrayBuffer>
}>

/**
 * Returns the audit events for changes of the e-mail address and the phone number. That of a number has both numbers, so
 * that erasure finds the events of the old one, which have no account.
 */
export function buildContactEvents(
  { before, email, newPhone }: ContactChange,
  auditContext: AuditContext,
): AuditEvent[] {
  const { accountId } = before
  const event = { replaced: 'email_changed', pending: 'email_change_requested', unchanged: undefined } as const
  const emailEvent = event[email.outcome]
  return [
    ...(emailEvent ? [{ event: emailEvent, ...auditContext, accountId, subject: maskEmail(email.to) }] : []),
    ...(newPhone === undefined
      ? []
      : [{ event: 'phone_changed', ...auditContext, accountId, subject: phonesText(before.phone, newPhone) } as const]),
  ]
}

function phonesText(before: string, after: string): string {
  return `${maskPhone(before)} ${maskPhone(after)}`
}
