import type { Assigned, Bind, Part } from '../../database/composed.ts'
import { setAccount } from '../accounts/lock-account.ts'
import { restoreFormer } from '../recovery/former-email.ts'
import { firstSession } from '../sessions/begin.ts'
import { deleteRows } from '../changes.ts'
import { endPendingPhone } from '../recovery/locks.ts'

type Revocation = Readonly<{
  /**
   * The session that asks for it; null for a reset, an undo and an act of an administrator. Links and codes that recover the account
   * survive whatever a session asks for, because the owner needs them against a thief of it.
   */
  askedBy: string | null
  /** What the same request writes to the account. It takes precedence over what the revocation ends. */
  assigned?: Assigned
  /** The asking session, if it remains valid */
  except?: string | undefined
  /** A condition over `e` that limits which of the undo links remain valid */
  undoLinks?: string
  /** The columns that the part `account` returns; without them, the version of the profile */
  returning?: string
}>

/**
 * Returns the parts of a change that end everything that was issued for the account, or is pending, before the change: see
 * "Revocation" in docs/security.md. What the same request creates remains valid, because all parts see the rows of the start
 * of their statement. What undoes changes remains valid too: it belongs to the owner of an address or a number, and otherwise an
 * attacker could end it with a new password. So does a link that cancels a reset of the second factors.
 */
export function revoke(
  { askedBy, assigned = {}, except, undoLinks = 'true', returning = 'a.profile_version' }: Revocation,
  bind: Bind,
): Part[] {
  const changesEmail = 'email' in assigned || 'email_verified_at' in assigned
  const changesPhone = 'phone' in assigned
  const asking = askedBy === null ? undefined : firstSession(askedBy, bind)
  const ended = {
    pending_email: 'NULL',
    ...assigned,
    ...(!changesEmail && restoreFormer(asking, assigned)),
    ...(!changesPhone && endPendingPhone(asking, assigned)),
  }
  const kept = askedBy === null ? `'keep_factors'` : `'keep_factors', 'reset_factors'`
  return [
    setAccount(ended, returning),
    endSessions(bind, except),
    ...(askedBy === null ? INVALIDATE_RECOVERY : []),
    deleteTokens(
      `NOT (e.purpose IN ('undo', 'undo_reset') AND ${undoLinks}) AND e.purpose NOT IN ('undo_by_phone', ${kept})`,
    ),
    invalidateCode(),
    deleteRows('deleted_enrollment_code', 'enrollment_codes'),
    ...FORGET_OUTCOMES,
  ]
}

// The parts of a revocation. Each ends one kind of credential or pending change.

/** Ends all sessions of the account, and with them their access tokens, refresh tokens and links to documents. */
function endSessions(bind: Bind, except?: string): Part {
  const others = except === undefined ? '' : `AND s.id <> ${bind(except)}::uuid`
  const sql = `
    UPDATE sessions s SET ended_at = now() FROM target t
    WHERE s.account_id = t.account_id AND s.ended_at IS NULL ${others}`
  return { name: 'ended_sessions', sql }
}

/** The verified number of the account, and its former numbers that still recover it */
const OWN_PHONES: Part = {
  name: 'own_phones',
  sql: `
    SELECT a.phone FROM accounts a JOIN target t ON a.id = t.account_id WHERE a.phone_verified_at IS NOT NULL
    UNION SELECT f.phone FROM former_phones f JOIN target t USING (account_id)`,
}

/**
 * Invalidates the tokens and codes that can reset the password, and all other codes for the numbers of the account. A code
 * for a number that no account has verified belongs to no account, and remains valid.
 */
export const INVALIDATE_RECOVERY: readonly Part[] = [
  deleteRows('reset_tokens', 'password_resets'),
  OWN_PHONES,
  {
    name: 'phone_codes',
    sql: `
      UPDATE phone_verifications SET version = version + 1, state = 'used', other_window = NULL
      WHERE phone IN (SELECT phone FROM own_phones) AND (state <> 'used' OR other_window IS NOT NULL)`,
  },
]

/** Returns the part that deletes the tokens of an account that match a condition over `e`. */
export function deleteTokens(condition: string): Part {
  const sql = `DELETE FROM email_tokens e USING target t WHERE e.account_id = t.account_id AND ${condition}`
  return { name: 'deleted_email_tokens', sql }
}

/**
 * Invalidates the code that was sent to verify an address of the account.
 *
 * @param wrongAt the wrong tries that remain, as an expression over the code `c`
 */
export function invalidateCode(wrongAt = 'c.wrong_at'): Part {
  const sql = `UPDATE email_codes c SET window_id = NULL, wrong_at = ${wrongAt} FROM target t WHERE c.account_id = t.account_id`
  return { name: 'invalidated_code', sql }
}

/**
 * Forgets the outcomes of requests with an Idempotency-Key, and stops those that run. A retry of a registration no longer
 * returns tokens.
 */
const FORGET_OUTCOMES: readonly Part[] = [
  deleteRows('forgotten_outcomes', 'idempotency_keys'),
  {
    name: 'forgotten_registration',
    sql: `
      UPDATE idempotency_keys k SET session_id = NULL FROM sessions s JOIN target t USING (account_id)
      WHERE k.session_id = s.id`,
  },
]
