// What a link that cancels or undoes a change of the e-mail address writes.
import { LIMITS } from '../../../generated/limits.ts'
import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'
import { NOW } from '../../database/query.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import { updateAccount } from '../accounts/lock-account.ts'
import { deleteRows } from '../changes.ts'
import { CANCEL_RESET } from '../factors/state.ts'
import { SETTLED } from '../recovery/former-email.ts'
import { DELETE_FORMER_PHONES, unverifyPhoneSince } from '../recovery/locks.ts'
import { endCodesSince, endYoungerUndo, restorePhone } from '../recovery/phone-undo.ts'
import { revoke, deleteTokens, invalidateCode } from '../revocation/index.ts'
import { VERIFIES, type EmailToken } from './tokens.ts'

/** New values for an undone change: the hash of an unknown password, and of a token that resets it */
export type Replacement = Readonly<{
  passwordHash: string
  resetHash: Uint8Array<ArrayBuffer>
  /** The number that a code was sent to, if the change is undone with one */
  phone?: Phone
}>

/** Removes the pending address. */
export function cancel(bind: Bind): Part[] {
  return [
    updateAccount({ pendingEmail: null }, bind),
    deleteTokens(`(${VERIFIES} OR e.purpose = 'cancel')`),
    invalidateCode(),
  ]
}

const DAY_MS = 86_400_000

/** Returns when the change was made that a token undoes. */
export function changedAt({ expiresAt }: Pick<EmailToken, 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() - LIMITS.email.undo_days * DAY_MS)
}

/** Whether the deletion of the account was requested after a change. Only a new address was notified of it. */
export function cancelsDeletion(deletionDueAt: Date | null, changedAt: Date): boolean {
  if (deletionDueAt === null) return false
  return deletionDueAt.getTime() - LIMITS.deletion.grace_days * DAY_MS >= changedAt.getTime()
}

/**
 * Restores the old address with a revocation, and with a code by SMS the old number. The owner then has to set a new password. A link
 * proves the address that it was sent to, and a code does not: that address is as it was before.
 */
export function undo(token: EmailToken, { passwordHash, resetHash, phone }: Replacement, bind: Bind): Part[] {
  const { account, email, expiresAt } = token
  const { now } = account
  const verifiedAt = token.verifiedAt ?? (phone ? null : now)
  const address = {
    email,
    emailVerifiedAt: verifiedAt,
    emailByLink: token.byLink,
    emailRecoversFrom: verifiedAt && now,
    emailChangedAt: now,
  }
  const restored = {
    ...(!(phone && email === account.email) && address),
    pendingEmail: null,
    passwordHash,
    ...(cancelsDeletion(account.deletionDueAt, changedAt(token)) && { deletionDueAt: null }),
  }
  const { number, ended } = phone ? byCode(phone, token, bind) : byLink(verifiedAt, bind)
  return [
    ...revoke(
      {
        askedBy: null,
        assigned: { ...assigned(restored, bind), ...SETTLED, ...CANCEL_RESET, ...number },
        // Tokens of earlier changes remain valid, so that a second change cannot lock out the owner of the first address.
        undoLinks: `e.expires_at < ${bind(expiresAt)}`,
      },
      bind,
    ),
    ...ended,
    ...(getsLink(token, phone) ? [resetLink(email, resetHash, bind)] : []),
  ]
}

/** What becomes of the number, and of what former ones and codes could do */
type Numbers = Readonly<{ number: Assigned; ended: readonly Part[] }>

function byCode(phone: Phone, { phoneVerifiedAt, expiresAt }: EmailToken, bind: Bind): Numbers {
  return {
    number: restorePhone(phone, phoneVerifiedAt, bind),
    ended: [DELETE_FORMER_PHONES, endCodesSince(expiresAt, bind)],
  }
}

/** Numbers that were verified with the address or after it can be those of another person. */
function byLink(verifiedAt: Date | null, bind: Bind): Numbers {
  const since = `${bind(verifiedAt)}::timestamptz`
  const former = deleteRows('former', 'former_phones', `r.verified_at >= ${since}`)
  return { number: unverifyPhoneSince(since), ended: [former, endYoungerUndo(since)] }
}

/**
 * Whether a link that sets the password is sent to the restored address: always after a link to it. A code only proves the number, so
 * the address must be confirmed, and older than the number or its days of an undo.
 */
export function getsLink(
  { account, verifiedAt, byLink, phoneVerifiedAt }: EmailToken,
  phone: Phone | undefined,
): boolean {
  if (!phone) return true
  if (!verifiedAt || byLink) return false
  const settled = account.now.getTime() - LIMITS.email.undo_days * DAY_MS
  return verifiedAt.getTime() <= Math.max(phoneVerifiedAt?.getTime() ?? 0, settled)
}

function resetLink(email: string, resetHash: Replacement['resetHash'], bind: Bind): Part {
  const sql = `
    INSERT INTO password_resets (account_id, token_hash, email, expires_at)
    SELECT t.account_id, ${bind(resetHash)}, ${bind(email)}, ${NOW} + interval '${LIMITS.reset.minutes} minutes'
    FROM target t`
  return { name: 'reset_link', sql }
}
