import { LIMITS } from '../../../generated/limits.ts'
import type { EmailChange, RequestedEmail } from '../../domain/accounts/account.ts'
import { doesRecover } from '../../domain/accounts/recovery.ts'
import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'
import { nowSql } from '../../database/query.ts'
import type { LockedOwnAccount } from '../accounts/lock-account.ts'
import { cancelledReset } from '../factors/state.ts'
import { deleteTokens, INVALIDATE_RECOVERY, invalidateCode } from '../revocation/parts.ts'
import { INVALIDATE_VERIFICATION, VERIFIES } from './tokens.ts'

/** What a change of the address writes to the account, ends, and adds */
export type EmailParts = Readonly<{ assigned: Assigned; ended: readonly Part[]; added: readonly Part[] }>

export const UNCHANGED: EmailChange = { outcome: 'unchanged', canCancel: false }

/**
 * Decides what becomes of the e-mail address of an update. A verified address is replaced when the new one is confirmed, and
 * an unverified one immediately. The stored and the pending address change nothing.
 */
export function decideEmail(
  account: LockedOwnAccount,
  { email, isConfirmable }: RequestedEmail,
  shiftSeconds: number,
): EmailChange {
  const { emailVerifiedAt, emailRecoversFrom, pendingEmail, databaseNow } = account
  if (email === account.email || email === pendingEmail) return UNCHANGED
  if (!emailVerifiedAt || !isConfirmable) return { outcome: 'replaced', canCancel: false }
  const now = new Date(databaseNow.getTime() + shiftSeconds * 1000)
  return { outcome: 'pending', canCancel: doesRecover(emailRecoversFrom, now) }
}

/** Returns what such a change writes. An address that is replaced also ends what recovers the account. */
export function emailParts(
  { outcome, canCancel }: EmailChange,
  { email, cancelHash }: RequestedEmail,
  account: LockedOwnAccount,
  { bind, shiftSeconds }: { bind: Bind; shiftSeconds: number },
): EmailParts {
  if (outcome === 'unchanged') return { assigned: {}, ended: [], added: [] }
  const now = (): string => nowSql(bind(shiftSeconds))
  if (outcome === 'pending') {
    return {
      assigned: assigned({ pendingEmail: email }, bind),
      ended: INVALIDATE_VERIFICATION,
      added: canCancel ? [addCancelToken(cancelHash, account, { bind, now: now() })] : [],
    }
  }
  const unverified = { emailVerifiedAt: null, emailRecoversFrom: null }
  const replaced = { email, pendingEmail: null, ...unverified, ...cancelledReset(account) }
  return {
    assigned: { ...assigned(replaced, bind), email_changed_at: now() },
    ended: [
      deleteTokens(`(${VERIFIES} OR e.purpose IN ('cancel', 'consent'))`),
      invalidateCode(),
      ...INVALIDATE_RECOVERY,
    ],
    added: [],
  }
}

/** Returns the part that adds the token with which the current address cancels the change. */
function addCancelToken(
  cancelHash: RequestedEmail['cancelHash'],
  { email, emailVerifiedAt }: LockedOwnAccount,
  { bind, now }: { bind: Bind; now: string },
): Part {
  const sql = `
    INSERT INTO email_tokens (token_hash, account_id, purpose, email, verified_at, expires_at)
    SELECT ${bind(cancelHash)}, t.account_id, 'cancel'::"EmailTokenPurpose", ${bind(email)}, ${bind(emailVerifiedAt)},
      ${now} + interval '${LIMITS.email.undo_days} days'
    FROM target t`
  return { name: 'added_cancel_token', sql }
}
