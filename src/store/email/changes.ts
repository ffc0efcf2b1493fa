import { LIMITS } from '../../../generated/limits.ts'
import type { ContactChange, RequestedEmail } from '../../domain/accounts/contact.ts'
import { assignments, type Bind, type Part } from '../../database/composed.ts'
import { nowSql } from '../../database/now.ts'
import { type LockedOwnAccount } from '../accounts/lock-account.ts'
import { deleteTokens, INVALIDATE_VERIFICATION, invalidateCode, VERIFIES } from './tokens.ts'

type Outcome = ContactChange['email']['outcome']

/** Assignments of the account `a`, and other parts of the same change */
export type EmailParts = Readonly<{ assigned: readonly string[]; parts: readonly Part[] }>

/**
 * Decides what becomes of the e-mail address of an update. A verified address is replaced when the new one is confirmed, and
 * an unverified one immediately. The stored and the pending address change nothing.
 */
export function decideEmail(account: LockedOwnAccount, { email, isConfirmable }: RequestedEmail): Outcome {
  if (email === account.email || email === account.pendingEmail) return 'unchanged'
  return account.emailVerifiedAt && isConfirmable ? 'pending' : 'replaced'
}

/** Returns what such a change writes. An address that is replaced also invalidates what recovers the account. */
export function emailParts(
  outcome: Outcome,
  { email, cancelHash }: RequestedEmail,
  account: LockedOwnAccount,
  { bind, shiftSeconds }: { bind: Bind; shiftSeconds: number },
): EmailParts {
  if (outcome === 'unchanged') return { assigned: [], parts: [] }
  const now = nowSql(bind(shiftSeconds))
  if (outcome === 'pending') {
    const { email: old, emailVerifiedAt } = account
    const cancel = `
      INSERT INTO email_tokens (token_hash, account_id, purpose, email, verified_at, expires_at)
      SELECT ${bind(cancelHash)}, t.account_id, 'cancel'::"EmailTokenPurpose", ${bind(old)}, ${bind(emailVerifiedAt)},
        ${now} + interval '${LIMITS.email.undo_days} days'
      FROM target t`
    return {
      assigned: [assignments('a', { pendingEmail: email }, bind).set],
      parts: [...INVALIDATE_VERIFICATION, { name: 'added_cancel_token', sql: cancel }],
    }
  }
  const replaced = { email, pendingEmail: null, emailVerifiedAt: null, emailRecoversFrom: null }
  return {
    assigned: [assignments('a', replaced, bind).set, `email_changed_at = ${now}`],
    parts: [deleteTokens(`(${VERIFIES} OR e.purpose IN ('cancel', 'consent'))`), invalidateCode()],
  }
}
