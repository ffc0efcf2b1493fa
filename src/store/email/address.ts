// Changes of the e-mail address of an account whose row is locked.
import { LIMITS } from '../../../generated/limits.ts'
import { doesRecover } from '../../domain/accounts/recovery.ts'
import type { Contact, EmailOutcome, RequestedEmail } from '../../domain/accounts/account.ts'
import type { NewUndo, OpenedUndo } from '../../domain/accounts/undo.ts'
import { type Bind, type Part, assigned, type Assigned } from '../../database/composed.ts'
import { addToken, VERIFIES, INVALIDATE_VERIFICATION } from './tokens.ts'
import { isEmailProven, type LockedAccountState, type LockedOwnAccount } from '../accounts/lock-account.ts'
import { deleteRows, setAccount, updateAccount } from '../changes.ts'
import { firstSession } from '../sessions/begin.ts'
import { KEEP_FORMER, SETTLED } from '../recovery/former-email.ts'
import { deleteTokens, invalidateCode } from '../revocation/index.ts'
import { endYoungerCodes } from '../undo/restore.ts'
import { NOW } from '../../database/query.ts'

/** What a change of the address writes to the account, and ends */
type EmailParts = Readonly<{ assigned: Assigned; ended: readonly Part[] }>

/**
 * Decides what becomes of the e-mail address of an update. A verified address is replaced when the new one is confirmed, and
 * an unverified one immediately. The stored and the pending address change nothing.
 */
export function decideEmail(account: LockedOwnAccount, { email, isConfirmable }: RequestedEmail): EmailOutcome {
  const { emailVerifiedAt, pendingEmail } = account
  if (email === account.email || email === pendingEmail) return 'unchanged'
  return !emailVerifiedAt || !isConfirmable ? 'replaced' : 'pending'
}

/** Returns what such a change writes. An address that is replaced also ends what recovers the account. */
export function emailParts(
  outcome: EmailOutcome,
  { email }: RequestedEmail,
  sessionId: string,
  bind: Bind,
): EmailParts {
  if (outcome === 'unchanged') return { assigned: {}, ended: [] }
  if (outcome === 'pending') {
    return {
      assigned: { ...assigned({ pendingEmail: email }, bind), pending_email_by: firstSession(sessionId, bind) },
      ended: INVALIDATE_VERIFICATION,
    }
  }
  const replaced = { email, pendingEmail: null, emailVerifiedAt: null, emailByLink: false, emailRecoversFrom: null }
  return {
    assigned: {
      ...assigned(replaced, bind),
      ...KEEP_FORMER,
      email_changed_at: NOW,
      email_changed_by: firstSession(sessionId, bind),
    },
    ended: [
      deleteTokens(`(${VERIFIES} OR e.purpose IN ('cancel', 'consent'))`),
      invalidateCode(),
      deleteRows('claims', 'password_resets'),
    ],
  }
}

type Hash = Uint8Array<ArrayBuffer>

/** The hashes of new proofs, of which a confirmed change stores those that are sent to the identifiers before it */
export type NewProofs = Readonly<{ undo: NewUndo; consentHash: Hash }>

/** The result of a confirmation: `email` is the confirmed address, and `before` the account before the change. */
export type EmailConfirmation = Readonly<{
  outcome: 'verified' | 'changed' | 'recovery_allowed'
  email: string
  before: Contact
  /** What undoes a change */
  opened: OpenedUndo
}>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Confirm = Readonly<{ email: string; isOwn: boolean }>

/** A confirmation, and the parts of the change that it makes */
export type Confirmed = Omit<EmailConfirmation, 'opened'> & Readonly<{ parts: (bind: Bind) => readonly Part[] }>

/**
 * Verifies the pending address, which then replaces the old one, or the current address of the account.
 *
 * @returns undefined if the address is another one, or verified already
 */
export function confirm(account: LockedAccountState, made: Confirm): Confirmed | undefined {
  const { pendingEmail } = account
  const { email } = made
  const outcome = pendingEmail === email ? 'changed' : 'verified'
  if (outcome === 'verified' && (email !== account.email || isProven(account, made))) return undefined
  const parts = (bind: Bind): Part[] => (outcome === 'changed' ? change : verify)(account, made, bind)
  return { outcome, email, before: account, parts }
}

/** A link without a session proves nothing more about an address that another one has verified. */
function isProven(account: LockedAccountState, { isOwn }: Confirm): boolean {
  return isEmailProven(isOwn ? account : { ...account, emailByLink: false })
}

function change({ now }: LockedAccountState, { email, isOwn }: Confirm, bind: Bind): Part[] {
  const changed = {
    email,
    pendingEmail: null,
    emailVerifiedAt: now,
    emailByLink: !isOwn,
    emailRecoversFrom: new Date(now.getTime() + LIMITS.recovery.hold_hours * HOUR_MS),
    emailChangedAt: now,
  }
  return [
    setAccount({ ...assigned(changed, bind), ...KEEP_FORMER, email_changed_by: 'a.pending_email_by' }),
    deleteTokens(`(${VERIFIES} OR e.purpose = 'consent')`),
  ]
}

/** Returns the part that adds the token with which the old address consents to a change. */
export function addConsent(
  { accountId, now }: LockedAccountState,
  consent: { tokenHash: Hash; email: string },
  bind: Bind,
): Part {
  const expiresAt = new Date(now.getTime() + LIMITS.email.undo_days * DAY_MS)
  return addToken({ ...consent, accountId, purpose: 'consent', expiresAt }, bind)
}

function verify(account: LockedAccountState, { isOwn }: Confirm, bind: Bind): Part[] {
  const { emailByLink, emailChangedAt, emailRecoversFrom: from, createdAt, now } = account
  if (emailByLink && from !== null) return [updateAccount({ emailByLink: false }, bind), deleteTokens(VERIFIES)]
  const isOfRegistration = emailChangedAt === null
  // An account can be registered with another person's address. If the link is opened without a login, the address
  // counts as verified since the registration. It then takes precedence over what the registrant has verified since.
  const emailVerifiedAt = isOfRegistration && !isOwn ? createdAt : now
  const waitMs = isOfRegistration ? 0 : LIMITS.recovery.hold_hours * HOUR_MS
  const emailRecoversFrom = new Date(now.getTime() + waitMs)
  const verified = { emailVerifiedAt, emailByLink: !isOwn, emailRecoversFrom }
  return [updateAccount(verified, bind), deleteTokens(VERIFIES)]
}

/** Ends the waiting period of the new address for recovery, with the consent of the old address. */
export function allowRecovery(account: LockedAccountState, email: string): Confirmed | undefined {
  const { emailRecoversFrom, now } = account
  if (account.email !== email || emailRecoversFrom === null || doesRecover(emailRecoversFrom, now)) return undefined
  const parts = (bind: Bind): Part[] => [
    setAccount({ ...assigned({ emailRecoversFrom: now }, bind), ...SETTLED }),
    endYoungerCodes('a.former_email_verified_at'),
  ]
  return { outcome: 'recovery_allowed', email, before: account, parts }
}
