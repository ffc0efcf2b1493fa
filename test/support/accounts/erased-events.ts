// How the service records each event of the audit trail: about whom, and with which subject.
import type { EventName } from '../../../src/domain/audit/audit-context.ts'

/** The account, an administrator's action on it, an administrator alone, or a caller without an account */
type About = 'account' | 'administrator' | 'list' | 'anonymous'
type Subject = 'none' | 'email' | 'phone' | 'phones' | 'network' | 'text'
export type Shape = `${About} ${Subject}`

/** A new event does not compile until its shapes are here. */
export const SHAPES: Readonly<Record<EventName, readonly Shape[]>> = {
  login: ['account email'],
  login_failed: ['account email', 'anonymous email'],
  login_limited: ['anonymous email'],
  login_suspended: ['account email'],
  logout: ['account none'],
  registered: ['account email'],
  taken_limited: ['account none', 'anonymous none'],
  refresh_token_reused: ['account none'],
  reauthenticated: ['account none'],
  reauthentication_failed: ['account none'],
  reauthentication_limited: ['account none'],
  mfa_code_failed: ['account email', 'account none'],
  mfa_code_missing: ['account email'],
  recovery_code_used: ['account email', 'account none'],
  totp_added: ['account none'],
  totp_removed: ['account none'],
  factors_removed: ['account text'],
  recovery_codes_renewed: ['account none'],
  passkey_added: ['account none'],
  passkey_removed: ['account none'],
  passkey_failed: ['account none', 'anonymous none'],
  factor_reset_requested: ['account email'],
  factor_reset_confirmed: ['account none'],
  factor_reset_failed: ['account none', 'anonymous none'],
  factor_reset_cancelled: ['account email', 'account none'],
  factor_reset_cancellation_failed: ['anonymous none'],
  factor_reset_scheduled: ['administrator none'],
  session_revoked: ['account none'],
  other_sessions_revoked: ['account none'],
  phone_checked: ['anonymous phone'],
  phone_check_limited: ['anonymous phone'],
  phone_found_taken: ['anonymous phone'],
  phone_confirmed: ['anonymous phone'],
  phone_confirm_limited: ['anonymous phone'],
  phone_confirmation_failed: ['anonymous phone'],
  otp_exhausted: ['anonymous phone'],
  email_verification_requested: ['account email'],
  email_verification_limited: ['account none'],
  email_verification_failed: ['account none', 'anonymous none'],
  email_verified: ['account email'],
  email_change_requested: ['account email'],
  email_changed: ['account email'],
  email_change_cancelled: ['account email'],
  email_change_undone: ['account email'],
  email_cancellation_failed: ['anonymous none'],
  email_recovery_allowed: ['account email'],
  email_released: ['account email', 'account none'],
  phone_changed: ['account phones'],
  profile_updated: ['account email'],
  password_changed: ['account email', 'account none'],
  password_change_failed: ['account none'],
  password_change_limited: ['account none'],
  password_reset: ['account email', 'account phone'],
  password_reset_requested: ['anonymous email', 'anonymous phone'],
  password_reset_failed: ['anonymous none'],
  changes_undone: ['account email', 'account phone'],
  changes_undo_failed: ['anonymous none'],
  email_release_failed: ['anonymous none'],
  email_marked_verified: ['account text'],
  deletion_requested: ['account none'],
  deletion_refused: ['account none'],
  deletion_limited: ['account none'],
  deletion_cancelled: ['account none'],
  account_deleted: ['account none'],
  account_exported: ['account text'],
  export_limited: ['account none'],
  account_imported: ['account text'],
  document_read: ['account text', 'administrator text'],
  file_deleted: ['account text'],
  user_read: ['administrator none'],
  users_listed: ['list text'],
  audit_listed: ['list text', 'list network', 'anonymous text'],
  user_suspended: ['administrator none', 'account text'],
  user_restored: ['administrator none', 'account text'],
  lawyer_approved: ['administrator none', 'administrator text'],
  lawyer_rejected: ['administrator none', 'administrator text'],
  events_replayed: ['list text'],
  enrollment_code_issued: ['account text'],
  admin_refused: ['account none'],
  admin_granted: ['account text'],
  admin_revoked: ['account text'],
  files_swept: ['anonymous text'],
  files_sweep_stopped: ['anonymous text'],
  key_rotated: ['anonymous text'],
}

/** The shapes that erasure does not change, with the reason in docs/operate.md */
export const RETAINED: Partial<Record<Shape, string>> = {
  'anonymous none': 'Events without an account and an identifier',
}

type Row = { accountId: number | null; actorId: number | null; subject: string | null }

/** Returns the shape of a stored event. */
export function shapeOf({ accountId, actorId, subject }: Row): Shape {
  const about = actorId === null ? (accountId === null ? 'anonymous' : 'account') : accountId ? 'administrator' : 'list'
  return `${about} ${subjectOf(subject)}`
}

function subjectOf(subject: string | null): Subject {
  if (subject === null) return 'none'
  if (/^.\*\*\*@/u.test(subject)) return 'email'
  if (/^\+\d{3}\*\*\*\d{3}$/.test(subject)) return 'phone'
  if (subject.includes('***')) return 'phones'
  return subject.includes('*') ? 'network' : 'text'
}

/** An account before its erasure, with masked identifiers */
export type Subjects = Readonly<{
  id: number
  otherId: number
  address: string
  network: string
  emails: readonly string[]
  /** Oldest first; the last one is the present number */
  phones: readonly string[]
}>

type Event = Row & { event: EventName; address: string | null; reason: string | null }

/** Returns the events of a kind and a shape that are about an account, or by it, with each of its identifiers. */
export function eventsOfShape(event: EventName, shape: Shape, account: Subjects): Event[] {
  const [about, subject] = shape.split(' ') as [About, Subject]
  const { id, otherId, address } = account
  const people = {
    account: [{ accountId: id, actorId: null }],
    administrator: [
      { accountId: id, actorId: otherId },
      { accountId: otherId, actorId: id },
    ],
    list: [
      { accountId: null, actorId: id },
      { accountId: null, actorId: otherId },
    ],
    anonymous: [{ accountId: null, actorId: null }],
  }
  return people[about].flatMap((person) =>
    subjects(subject, account, person.actorId === id).map((text) => ({
      event,
      ...person,
      subject: text,
      address: person.actorId === otherId || subject === 'text' ? null : address,
      reason: person.accountId === id ? 'Nouf called.' : null,
    })),
  )
}

/** @param isActor whether the account is the administrator who acted; the network alone is not attributed to another one */
function subjects(
  subject: Subject,
  { id, emails, phones, network }: Subjects,
  isActor: boolean,
): readonly (string | null)[] {
  const changes = phones.slice(1).map((phone, index) => `${phones[index] ?? ''} ${phone}`)
  return {
    none: [null],
    email: emails,
    phone: phones,
    phones: changes,
    network: [
      `account_id=${id} address=${network}`,
      `event=login account_id=${id} address=${network} limit=20`,
      ...(isActor ? [`address=${network}`] : []),
    ],
    text: ['command line'],
  }[subject]
}
