// What a link that cancels or undoes a change of the e-mail address writes.
import { LIMITS } from '../../../generated/limits.ts'
import { assigned, type Bind, type Part } from '../../database/composed.ts'
import { NOW } from '../../database/query.ts'
import { updateAccount } from '../accounts/lock-account.ts'
import { deleteRows } from '../changes.ts'
import { CANCEL_RESET } from '../factors/state.ts'
import { unverifyPhoneSince } from '../recovery/locks.ts'
import { revoke, deleteTokens, invalidateCode } from '../revocation/index.ts'
import { VERIFIES, type EmailToken } from './tokens.ts'

/** New values for an undone change: the hash of an unknown password, and of a token that resets it */
export type Replacement = Readonly<{ passwordHash: string; resetHash: Uint8Array<ArrayBuffer> }>

/** Removes the pending address. */
export function cancel(bind: Bind): Part[] {
  return [
    updateAccount({ pendingEmail: null }, bind),
    deleteTokens(`(${VERIFIES} OR e.purpose = 'cancel')`),
    invalidateCode(),
  ]
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Whether the deletion of the account was requested after the change. Only the new address was notified of it. */
export function cancelsDeletion({ account: { deletionDueAt }, expiresAt }: EmailToken): boolean {
  if (deletionDueAt === null) return false
  const requestedMs = deletionDueAt.getTime() - LIMITS.deletion.grace_days * DAY_MS
  return requestedMs >= expiresAt.getTime() - LIMITS.email.undo_days * DAY_MS
}

/** Restores the old address with a revocation. The owner of the old address then has to set a new password. */
export function undo(token: EmailToken, { passwordHash, resetHash }: Replacement, bind: Bind): Part[] {
  const { account, email, verifiedAt, expiresAt } = token
  const { now } = account
  const emailVerifiedAt = verifiedAt ?? now
  const restored = {
    email,
    emailVerifiedAt,
    emailRecoversFrom: now,
    emailChangedAt: now,
    pendingEmail: null,
    passwordHash,
    ...(cancelsDeletion(token) && { deletionDueAt: null }),
  }
  const verifiedText = `${bind(emailVerifiedAt)}::timestamptz`
  const reset = `
    INSERT INTO password_resets (account_id, token_hash, expires_at)
    SELECT t.account_id, ${bind(resetHash)}, ${NOW} + interval '${LIMITS.reset.minutes} minutes'
    FROM target t`
  return [
    ...revoke(
      {
        assigned: { ...assigned(restored, bind), ...CANCEL_RESET, ...unverifyPhoneSince(verifiedText) },
        // Tokens of earlier changes remain valid, so that a second change cannot lock out the owner of the first address.
        undoLinks: `e.expires_at < ${bind(expiresAt)}`,
      },
      bind,
    ),
    deleteRows('former', 'former_phones', `r.verified_at >= ${verifiedText}`),
    { name: 'reset_link', sql: reset },
    REMOVE_RECOVERY_CODES,
  ]
}

/**
 * Returns the time from which on a second factor is removed with an undone change. A thief can add one just before the change,
 * while the stolen session still has recent authentication.
 */
export function youngFactorsSince({ expiresAt }: EmailToken): Date {
  const { email, recovery } = LIMITS
  return new Date(expiresAt.getTime() - email.undo_days * DAY_MS - recovery.hold_hours * HOUR_MS)
}

/** A thief with a session of the owner can have renewed them. */
const REMOVE_RECOVERY_CODES: Part = {
  name: 'removed_recovery_codes',
  sql: `UPDATE second_factors f SET recovery_codes = '{}' FROM target t WHERE f.account_id = t.account_id`,
}
