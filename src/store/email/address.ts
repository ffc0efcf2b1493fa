// Changes of the e-mail address of an account whose row is locked.
import { LIMITS } from '../../../generated/limits.ts'
import { doesRecover } from '../../domain/accounts/recovery.ts'
import type { Contact, EmailChange, RequestedEmail } from '../../domain/accounts/account.ts'
import { type Bind, type Part, assigned, type Assigned } from '../../database/composed.ts'
import { addTokens, VERIFIES, INVALIDATE_VERIFICATION } from './tokens.ts'
import {
  isEmailProven,
  type LockedAccount,
  type LockedAccountState,
  setAccount,
  updateAccount,
  type LockedOwnAccount,
} from '../accounts/lock-account.ts'
import { deleteRows } from '../changes.ts'
import { firstSession } from '../sessions/begin.ts'
import { KEEP_FORMER, SETTLED, UNDO_PERIOD } from '../recovery/former-email.ts'
import { deleteTokens, invalidateCode } from '../revocation/index.ts'
import { endYoungerUndo } from '../recovery/phone-undo.ts'
import { NOW } from '../../database/query.ts'

/** What a change of the address writes to the account, ends, and adds */
type EmailParts = Readonly<{ assigned: Assigned; ended: readonly Part[]; added: readonly Part[] }>

export const UNCHANGED: EmailChange = { outcome: 'unchanged', canCancel: false }

/**
 * Decides what becomes of the e-mail address of an update. A verified address is replaced when the new one is confirmed, and
 * an unverified one immediately. The stored and the pending address change nothing.
 */
export function decideEmail(account: LockedOwnAccount, { email, isConfirmable }: RequestedEmail): EmailChange {
  const { emailVerifiedAt, pendingEmail } = account
  if (email === account.email || email === pendingEmail) return UNCHANGED
  if (!emailVerifiedAt || !isConfirmable) return { outcome: 'replaced', canCancel: false }
  return { outcome: 'pending', canCancel: canUndo(account) }
}

/** Returns what such a change writes. An address that is replaced also ends what recovers the account. */
export function emailParts(
  { outcome, canCancel }: EmailChange,
  { email, cancelHash }: RequestedEmail,
  { account, sessionId }: { account: LockedOwnAccount; sessionId: string },
  bind: Bind,
): EmailParts {
  if (outcome === 'unchanged') return { assigned: {}, ended: [], added: [] }
  if (outcome === 'pending') {
    return {
      assigned: { ...assigned({ pendingEmail: email }, bind), pending_email_by: firstSession(sessionId, bind) },
      ended: INVALIDATE_VERIFICATION,
      added: canCancel ? [addCancelToken(cancelHash, account, bind)] : [],
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
    added: [],
  }
}

/** Returns the part that adds the token with which the current address cancels the change. */
function addCancelToken(
  cancelHash: RequestedEmail['cancelHash'],
  { email, emailVerifiedAt, emailByLink }: LockedOwnAccount,
  bind: Bind,
): Part {
  const sql = `
    INSERT INTO email_tokens (token_hash, account_id, purpose, email, verified_at, by_link, expires_at)
    SELECT ${bind(cancelHash)}, t.account_id, 'cancel'::"EmailTokenPurpose", ${bind(email)}, ${bind(emailVerifiedAt)},
      ${bind(emailByLink)}::boolean, ${NOW} + ${UNDO_PERIOD}
    FROM target t`
  return { name: 'added_cancel_token', sql }
}

type Hash = Uint8Array<ArrayBuffer>

/** The hashes of the tokens that are sent to the old address, and of the code that is sent to the number, when a change is confirmed */
export type TokensForOldAddress = Readonly<{
  undoHash: Hash
  consentHash: Hash
  /** Returns the hash of the code that undoes the change, for a number. */
  codeHash: (phone: string) => Hash
}>

/** The result of a confirmation: `email` is the confirmed address, and `before` the account before the change. */
export type EmailConfirmation = Readonly<{
  outcome: 'verified' | 'changed' | 'recovery_allowed'
  email: string
  before: Contact
  /** Whether a change can be undone by the address before it */
  canUndo: boolean
  /** Whether the code that undoes a change was stored, and is to be sent to the number */
  hasCode: boolean
}>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Confirm = TokensForOldAddress & { email: string; isOwn: boolean }

/** A confirmation, and the parts of the change that it makes */
export type Confirmed = Readonly<{ done: EmailConfirmation; parts: (bind: Bind) => readonly Part[] }>

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
  const isUndoable = outcome === 'changed' && canUndo(account)
  return { done: { outcome, email, before: account, canUndo: isUndoable, hasCode: false }, parts }
}

/** A link without a session proves nothing more about an address that another one has verified. */
function isProven(account: LockedAccountState, { isOwn }: Confirm): boolean {
  return isEmailProven(isOwn ? account : { ...account, emailByLink: false })
}

/** An address that a link without a session has verified proves less than a number of the account. */
function canUndo({ emailByLink, emailRecoversFrom, phoneVerified, now }: LockedAccount): boolean {
  return doesRecover(emailRecoversFrom, now) && !(emailByLink && phoneVerified)
}

function change(account: LockedAccountState, { email, isOwn, undoHash, consentHash }: Confirm, bind: Bind): Part[] {
  const { accountId, email: oldEmail, emailVerifiedAt: verifiedAt, emailByLink: byLink, now } = account
  const expiresAt = new Date(now.getTime() + LIMITS.email.undo_days * DAY_MS)
  const about = { accountId, expiresAt, phoneVerifiedAt: null } as const
  const tokens = [
    { ...about, tokenHash: undoHash, purpose: 'undo', email: oldEmail, verifiedAt, byLink },
    { ...about, tokenHash: consentHash, purpose: 'consent', email, verifiedAt: null, byLink: null },
  ] as const
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
    ...(canUndo(account) ? [undoByCancelLink(oldEmail, expiresAt, bind), ...addTokens(tokens, bind)] : []),
  ]
}

/** A link that was sent to cancel the change now undoes it, in case it is opened just after the confirmation. */
function undoByCancelLink(oldEmail: string, expiresAt: Date, bind: Bind): Part {
  const sql = `
    UPDATE email_tokens e SET purpose = 'undo', expires_at = ${bind(expiresAt)} FROM target t
    WHERE e.account_id = t.account_id AND e.purpose = 'cancel' AND e.email = ${bind(oldEmail)}`
  return { name: 'undo_links', sql }
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
    endYoungerUndo('a.former_email_verified_at'),
  ]
  return { done: { outcome: 'recovery_allowed', email, before: account, canUndo: false, hasCode: false }, parts }
}
