import { maskEmail, maskPhone } from './mask.ts'
import type { AuditEvent, Trace } from './trace.ts'

/** How the owner of an account is reached, as far as messages about changes need it. */
export type Contact = Readonly<{
  accountId: number
  email: string
  /** E.164 */
  phone: string
  phoneCode: string
  phoneVerified: boolean
}>

/** What an update of a profile did to the e-mail address and the phone number of an account. */
export type ContactChange = Readonly<{
  before: Contact
  email: Readonly<{ to: string; outcome: 'unchanged' | 'replaced' | 'pending' }>
  /** The new number in E.164; undefined: it is the same */
  newPhone: string | undefined
}>

/** A change of the e-mail address in an update, with what is needed where it has to be confirmed first. */
export type EmailWish = Readonly<{
  email: string
  /** Whether messages can be sent, without which no address can be confirmed */
  isConfirmable: boolean
  /** The hash of the token that cancels a pending change */
  cancelHash: Uint8Array<ArrayBuffer>
}>

/** What the audit trail says of changes of the e-mail address and the phone number. */
export function contactEvents({ before, email, newPhone }: ContactChange, trace: Trace): AuditEvent[] {
  const { accountId } = before
  const event = { replaced: 'email_changed', pending: 'email_change_requested', unchanged: undefined } as const
  const emailEvent = event[email.outcome]
  return [
    ...(emailEvent ? [{ event: emailEvent, ...trace, accountId, subject: maskEmail(email.to) }] : []),
    ...(newPhone === undefined
      ? []
      : [{ event: 'phone_changed', ...trace, accountId, subject: maskPhone(newPhone) } as const]),
  ]
}
