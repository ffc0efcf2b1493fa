// Changes of the e-mail address of an account whose row is locked.
import { LIMITS } from '../../../generated/limits.ts'
import { doesRecover } from '../../domain/accounts/recovery.ts'
import type { Contact } from '../../domain/accounts/account.ts'
import type { Bind, Part } from '../../database/composed.ts'
import { addTokens, VERIFIES } from './tokens.ts'
import { isEmailProven, type LockedAccountState } from '../accounts/find-account.ts'
import { deleteTokens, INVALIDATE_RECOVERY } from '../revocation/parts.ts'
import { updateAccount } from '../accounts/lock-account.ts'
import { cancelledReset } from '../factors/state.ts'

type Hash = Uint8Array<ArrayBuffer>

/** The hashes of the tokens that are sent to the old address when a change is confirmed */
export type TokensForOldAddress = Readonly<{ undoHash: Hash; consentHash: Hash }>

/** The result of a confirmation: `email` is the confirmed address, and `before` the account before the change. */
export type EmailConfirmation = Readonly<{
  outcome: 'verified' | 'changed' | 'recovery_allowed'
  email: string
  before: Contact
  /** Whether a change can be undone by the address before it */
  canUndo: boolean
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
  if (outcome === 'verified' && (email !== account.email || isEmailProven(account))) return undefined
  const parts = (bind: Bind): Part[] => (outcome === 'changed' ? change : verify)(account, made, bind)
  return { done: { outcome, email, before: account, canUndo: outcome === 'changed' && canUndo(account) }, parts }
}

function canUndo({ emailRecoversFrom, now }: LockedAccountState): boolean {
  return doesRecover(emailRecoversFrom, now)
}

function change(account: LockedAccountState, { email, undoHash, consentHash }: Confirm, bind: Bind): Part[] {
  const { accountId, email: oldEmail, emailVerifiedAt: verifiedAt, now } = account
  const expiresAt = new Date(now.getTime() + LIMITS.email.undo_days * DAY_MS)
  const tokens = [
    { tokenHash: undoHash, accountId, purpose: 'undo', email: oldEmail, verifiedAt, expiresAt },
    { tokenHash: consentHash, accountId, purpose: 'consent', email, verifiedAt: null, expiresAt },
  ] as const
  const changed = {
    email,
    pendingEmail: null,
    emailVerifiedAt: now,
    emailRecoversFrom: new Date(now.getTime() + LIMITS.recovery.hold_hours * HOUR_MS),
    emailChangedAt: now,
    ...cancelledReset(account),
  }
  return [
    ...INVALIDATE_RECOVERY,
    updateAccount(changed, bind),
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

function verify({ emailChangedAt, createdAt, now }: LockedAccountState, { isOwn }: Confirm, bind: Bind): Part[] {
  const isOfRegistration = emailChangedAt === null
  // An account can be registered with another person's address. If the link is opened without a login, the address
  // counts as verified since the registration. It then takes precedence over what the registrant has verified since.
  const emailVerifiedAt = isOfRegistration && !isOwn ? createdAt : now
  const waitMs = isOfRegistration ? 0 : LIMITS.recovery.hold_hours * HOUR_MS
  const emailRecoversFrom = new Date(now.getTime() + waitMs)
  return [updateAccount({ emailVerifiedAt, emailRecoversFrom }, bind), deleteTokens(VERIFIES)]
}

/** Ends the waiting period of the new address for recovery, with the consent of the old address. */
export function allowRecovery(account: LockedAccountState, email: string): Confirmed | undefined {
  const { emailRecoversFrom, now } = account
  if (account.email !== email || emailRecoversFrom === null || doesRecover(emailRecoversFrom, now)) return undefined
  const parts = (bind: Bind): Part[] => [updateAccount({ emailRecoversFrom: now }, bind)]
  return { done: { outcome: 'recovery_allowed', email, before: account, canUndo: false }, parts }
}
