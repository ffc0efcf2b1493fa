// What a link that cancels or undoes a change of the e-mail address writes.
import { LIMITS } from '../../../generated/limits.ts'
import { assigned, type Bind, type Part } from '../../database/composed.ts'
import { NOW } from '../../database/query.ts'
import { updateAccount } from '../accounts/lock-account.ts'
import { deleteRows } from '../changes.ts'
import { CANCEL_RESET } from '../factors/state.ts'
import { SETTLED } from '../recovery/former-email.ts'
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

/** Returns when the change was made that a token undoes. */
export function changedAt({ expiresAt }: Pick<EmailToken, 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() - LIMITS.email.undo_days * DAY_MS)
}

/** Whether the deletion of the account was requested after a change. Only a new address was notified of it. */
export function cancelsDeletion(deletionDueAt: Date | null, changedAt: Date): boolean {
  if (deletionDueAt === null) return false
  return deletionDueAt.getTime() - LIMITS.deletion.grace_days * DAY_MS >= changedAt.getTime()
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
    ...(cancelsDeletion(account.deletionDueAt, changedAt(token)) && { deletionDueAt: null }),
  }
  const verifiedText = `${bind(emailVerifiedAt)}::timestamptz`
  const reset = `
    INSERT INTO password_resets (account_id, token_hash, expires_at)
    SELECT t.account_id, ${bind(resetHash)}, ${NOW} + interval '${LIMITS.reset.minutes} minutes'
    FROM target t`
  return [
    ...revoke(
      {
        askedBy: null,
        assigned: { ...assigned(restored, bind), ...SETTLED, ...CANCEL_RESET, ...unverifyPhoneSince(verifiedText) },
        // Tokens of earlier changes remain valid, so that a second change cannot lock out the owner of the first address.
        undoLinks: `e.expires_at < ${bind(expiresAt)}`,
      },
      bind,
    ),
    deleteRows('former', 'former_phones', `r.verified_at >= ${verifiedText}`),
    { name: 'reset_link', sql: reset },
  ]
}
