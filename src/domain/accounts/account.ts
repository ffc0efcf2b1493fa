import type { components } from '../../../generated/types.ts'
import type { SecondFactors } from '../factors/second-factor.ts'
import type { PersonalDetails } from '../passwords/password.ts'
import type { RecentAuthentication } from '../sessions/recent-authentication.ts'
import { maskEmail, maskPhone } from '../text.ts'
import type { OpenedUndo } from './undo.ts'
import type { AuditEvent, AuditContext } from '../audit/audit-context.ts'

export type AccountType = components['schemas']['Account']['account_type']

/** An account as its owner sees it. Its session is active and it is not suspended. */
export type Account = Readonly<{ id: number; email: string; accountType: AccountType; isAdmin: boolean }>

export type Credentials = Readonly<{
  id: number
  email: string
  passwordHash: string
  status: 'active' | 'suspended'
}>

/** Credentials, and whether the account has recently completed a login from the network of the client. */
export type LoginCredentials = Credentials &
  Readonly<{
    isKnownNetwork: boolean
    /** The same for logins since the account got its first second factor; false without one */
    isProvenNetwork: boolean
    /** Null if a login needs the password alone */
    factors: SecondFactors | null
  }>

/** The credentials of the caller, with the details that a new password must not contain. */
export type OwnCredentials = LoginCredentials & Readonly<{ owner: PersonalDetails }>

/** The claims of a verified access token: the account, and the session, which must still be active. */
export type Bearer = Readonly<{
  accountId: number
  sessionId: string
  /** How often the session had been refreshed when the token was issued; undefined for a token of a login */
  generation?: number
  recent?: RecentAuthentication
  /** Whether the operation requires that the account has a second factor */
  needsFactor?: boolean
}>

/** The contact data of an account, as needed for notices about changes. */
export type Contact = Readonly<{
  accountId: number
  email: string
  /** E.164 */
  phone: string
  phoneCode: string
  phoneVerified: boolean
}>

/** Whom to notify of changes of the second factors. The previous addresses are those that can still undo a change of the address. */
export type FactorOwner = Contact & Readonly<{ previousEmails: readonly string[] }>

/** What becomes of the address of an account in an update */
export type EmailOutcome = 'unchanged' | 'replaced' | 'pending'

/** The changes of an account's e-mail address and phone number by a profile update. */
export type ContactChange = Readonly<{
  before: Contact
  email: Readonly<{ outcome: EmailOutcome; to: string }>
  /** The new number in E.164; undefined if it is unchanged */
  newPhone: string | undefined
  opened: OpenedUndo
}>

/** An e-mail address in an update, with the data to have it confirmed. */
export type RequestedEmail = Readonly<{
  email: string
  /** Whether e-mail can be sent, which is required to confirm an address */
  isConfirmable: boolean
}>

/**
 * Returns the audit events for changes of the e-mail address and the phone number. That of a number has both numbers, so
 * that erasure finds the events of the old one, which have no account.
 */
export function buildContactEvents(
  { before, email, newPhone }: ContactChange,
  auditContext: AuditContext,
): AuditEvent[] {
  const about = { ...auditContext, accountId: before.accountId }
  const emailEvents = { replaced: 'email_changed', pending: 'email_change_requested', unchanged: undefined } as const
  const event = emailEvents[email.outcome]
  const phones = newPhone === undefined ? undefined : `${maskPhone(before.phone)} ${maskPhone(newPhone)}`
  return [
    ...(event ? [{ ...about, event, subject: maskEmail(email.to) }] : []),
    ...(phones === undefined ? [] : [{ ...about, event: 'phone_changed', subject: phones } as const]),
  ]
}
