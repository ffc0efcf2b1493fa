import type { Account } from '../../../generated/prisma/client.ts'
import { column } from '../../database/sql.ts'
import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'
import { endPendingPhone, restoreFormerEmail } from '../recovery/identifiers.ts'
import { firstSessionOf } from '../sessions/begin.ts'
import { endSessions } from '../sessions/end.ts'
import { deleteRows, setAccount, type Change } from '../changes.ts'

type Revocation = Readonly<{
  /**
   * The session that asks for it; null for a reset, an undo and an act of an administrator. Links and codes that recover the account
   * survive whatever a session asks for, because the owner needs them against a thief of it.
   */
  askedBy: string | null
  /** New values of the account in SQL, which may depend on the row `a`. They take precedence over what the revocation ends. */
  assigned?: Assigned
  /** The asking session, if it remains valid */
  except?: string | undefined
  /** Which of the links that undo changes remain valid: those that expire earlier, or all */
  undoLinksUntil?: Date
}>

/**
 * Ends everything that was issued for the account, or is pending, before the change: see "Revocation" in docs/security.md. What
 * undoes changes remains valid: it belongs to the owner of an address or a number, and otherwise an attacker could end it with a
 * new password. So does a link that cancels a reset of the second factors.
 *
 * @param fields new values of the account, besides those in SQL
 * @returns what the change records: whether the profile is another one
 */
export async function revoke(
  change: Change,
  accountId: number,
  { assigned: expressions, ...revocation }: Revocation,
  fields: Partial<Omit<Account, 'id'>> = {},
): Promise<{ isUpdate: boolean }> {
  const revoked = await change.write(accountId, {
    parts: (bind) => revocationParts({ ...revocation, assigned: { ...assigned(fields, bind), ...expressions } }, bind),
    columns: { isUpdate: column<boolean>('a.profile_version <> account.profile_version') },
    from: 'account JOIN target USING (account_id) JOIN accounts a ON a.id = account_id', // as it was before
  })
  return revoked ?? { isUpdate: false }
}

/** Returns the parts of a revocation. What the other parts create remains valid, because all see the rows of the start of the statement. */
export function revocationParts({ askedBy, assigned = {}, except, undoLinksUntil }: Revocation, bind: Bind): Part[] {
  const changesEmail = 'email' in assigned || 'email_verified_at' in assigned
  const changesPhone = 'phone' in assigned
  const asking = askedBy === null ? undefined : firstSessionOf(bind(askedBy))
  const ended = {
    pending_email: 'NULL',
    ...assigned,
    ...(!changesEmail && restoreFormerEmail(asking, assigned)),
    ...(!changesPhone && endPendingPhone(asking, assigned)),
  }
  const kept = askedBy === null ? `'keep_factors'` : `'keep_factors', 'reset_factors'`
  const undoLinks = undoLinksUntil ? `e.expires_at < ${bind(undoLinksUntil)}` : 'true'
  return [
    setAccount(ended, 'a.id AS account_id, a.profile_version'),
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
const INVALIDATE_RECOVERY: readonly Part[] = [
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

/** Returns the part that invalidates the code that was sent to verify an address of the account. */
export function invalidateCode(): Part {
  const sql = `UPDATE email_codes c SET window_id = NULL FROM target t WHERE c.account_id = t.account_id`
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
