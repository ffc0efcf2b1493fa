// Parts of a change of an account: what it ends and invalidates.
import type { Bind, Part } from '../../database/composed.ts'

/** Revokes all sessions of the account, except one. */
export function endSessions(bind: Bind, except?: string): Part {
  const others = except === undefined ? '' : `AND s.id <> ${bind(except)}::uuid`
  const sql = `
    UPDATE sessions s SET ended_at = now() FROM target t
    WHERE s.account_id = t.account_id AND s.ended_at IS NULL ${others}`
  return { name: 'ended_sessions', sql }
}

/** Requires the next sensitive request of a session to authenticate again, because the password was replaced. */
export function clearRecentAuthentication(sessionId: string, bind: Bind): Part {
  const sql = `UPDATE sessions s SET authenticated_at = 'epoch' WHERE s.id = ${bind(sessionId)}::uuid`
  return { name: 'cleared_authentication', sql }
}

/** Invalidates all tokens and codes that can reset the password, because they were sent before the account changed. */
export const INVALIDATE_RECOVERY: readonly Part[] = [
  {
    name: 'reset_tokens',
    sql: 'DELETE FROM password_resets r USING target t WHERE r.account_id = t.account_id',
  },
  {
    name: 'own_phones',
    sql: `
      SELECT a.phone FROM accounts a JOIN target t ON a.id = t.account_id WHERE a.phone_verified_at IS NOT NULL
      UNION SELECT f.phone FROM former_phones f JOIN target t USING (account_id)`,
  },
  {
    name: 'reset_codes',
    sql: `
      UPDATE phone_verifications SET version = version + 1,
        state = CASE WHEN purpose = 'reset' THEN 'used' ELSE state END,
        other_window = CASE WHEN purpose = 'reset' THEN other_window END
      WHERE phone IN (SELECT phone FROM own_phones)
        AND (purpose = 'reset' AND state <> 'used' OR other_window->>'purpose' = 'reset')`,
  },
]
