// Undoing changes of an account with the proof of a notice: the token of an e-mail, or the code of an SMS. The proof of an identifier
// covers all changes since the first notice to it that is not older than the days of an undo.
import { LIMITS } from '../../../generated/limits.ts'

type Hash = Uint8Array<ArrayBuffer>

/** The hashes of new proofs, of which a change stores those that are to be sent */
export type NewUndo = Readonly<{
  tokenHash: Hash
  /** Returns the hash of the code, for the number that it is sent to. */
  codeHash: (phone: string) => Hash
}>

/** What a change has stored */
export type OpenedUndo = Readonly<{
  /** The address that the token is sent to; undefined if the account has none that can undo the change */
  linkTo: string | undefined
  /** Whether the code is sent to the number before the change */
  hasCode: boolean
}>

export const NOT_OPENED: OpenedUndo = { linkTo: undefined, hasCode: false }

type Identifiers = Readonly<{
  emailVerifiedAt: Date | null
  /** Whether only a link without a session had verified the address */
  emailByLink: boolean
  phoneVerifiedAt: Date | null
}>

const DAY_MS = 86_400_000
const UNDO_MS = LIMITS.email.undo_days * DAY_MS

/** Returns when the changes were made that a proof undoes. */
export function changedAt(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - UNDO_MS)
}

/** Whether the deletion of the account was requested after the changes: the same person may have requested it. */
export function cancelsDeletion(deletionDueAt: Date | null, since: Date): boolean {
  if (deletionDueAt === null) return false
  return deletionDueAt.getTime() - LIMITS.deletion.grace_days * DAY_MS >= since.getTime()
}

/**
 * Whether a link that sets the password is sent to the restored address. A link to it proves it. A code only proves the number, so the
 * address must be confirmed, and older than the number or the days of an undo.
 */
export function getsLink(
  by: 'email' | 'phone',
  { emailVerifiedAt, emailByLink, phoneVerifiedAt }: Identifiers,
  now: Date,
): boolean {
  if (by === 'email') return true
  if (!emailVerifiedAt || emailByLink) return false
  return emailVerifiedAt.getTime() <= Math.max(phoneVerifiedAt?.getTime() ?? 0, now.getTime() - UNDO_MS)
}
