/** Whom an event of the audit trail is about, and who brought it about. */
export type Trace = Readonly<{
  /** The e-mail address or the phone number that was meant, masked; null where the account says enough */
  subject: string | null
  address: string
  requestId: string
}>

/** What is kept of who did what: see `AuditEvent` in prisma/schema.prisma. */
export type AuditEvent = Trace & Readonly<{ event: EventName; accountId?: number }>

export type EventName =
  | 'login'
  | 'login_failed'
  | 'login_limited'
  | 'login_suspended'
  | 'logout'
  | 'registered'
  | 'refresh_token_reused'
  | 'session_revoked'
  | 'other_sessions_revoked'
  | 'phone_checked'
  | 'phone_check_limited'
  | 'phone_found_taken'
  | 'phone_confirmed'
  | 'phone_confirm_limited'
  | 'phone_confirmation_failed'
  | 'otp_exhausted'
  | 'profile_updated'
  | 'password_changed'
  | 'password_reset'
  | 'password_reset_requested'
  | 'password_reset_failed'
  | 'password_change_failed'
  | 'password_change_limited'
  | 'document_read'
  | 'file_deleted'

/** The trace of what somebody does to an account of their own. */
export function traceOf({ address, requestId }: Omit<Trace, 'subject'>): Trace {
  return { subject: null, address, requestId }
}
