// The statements that end sessions, and parts of such statements. Three others end sessions too: REPLACE_OWN in ./begin.ts, the
// change of a refresh token that is used again in ./exchange.ts, and the job DELETE_ENDED in ../factors/state.ts.
import { LIMITS } from '../../../generated/limits.ts'
import type { Bind, Part } from '../../database/composed.ts'
import { column, query } from '../../database/sql.ts'
import { auditInsertForEach } from '../audit/index.ts'
import { LIVES, OF_BEARER } from './state.ts'

/**
 * Revokes the session `$2` of the account `$1`, and records it with the last four parameters. Returns no row if the session
 * has ended or the account is suspended.
 */
export const END_OWN = query<{ ended: number }>(
  { ended: column('(SELECT count(*)::int FROM ended)') },
  (list) => `
    WITH own AS (
      SELECT a.id FROM accounts a JOIN sessions s ON s.account_id = a.id
      WHERE ${OF_BEARER} FOR UPDATE OF a, s),
    ended AS (
      UPDATE sessions SET ended_at = service_now() WHERE account_id IN (SELECT id FROM own) AND id = $2 AND ${LIVES}
      RETURNING account_id),
    audit AS (${auditInsertForEach(3, { accountId: 'account_id', from: 'ended' })})
    SELECT ${list} FROM own`,
  'end-own-session',
)

export const END_ONE = `UPDATE sessions SET ended_at = service_now() WHERE account_id = $1 AND id = $2::uuid AND ${LIVES}`

/** Ends the sessions that a reset of the second factors has ended, before its time is forgotten. */
export const END_EARLIER_SESSIONS = `
  UPDATE sessions s SET ended_at = service_now() FROM accounts a
  WHERE a.id = $1 AND s.account_id = a.id AND s.ended_at IS NULL
    AND a.factors_reset_at <= service_now() AND s.created_at <= a.factors_reset_at`

/** Ends all sessions of the account, and with them their access tokens, refresh tokens and links to documents. */
export function endSessions(bind: Bind, except?: string): Part {
  const others = except === undefined ? '' : `AND s.id <> ${bind(except)}::uuid`
  const sql = `
    UPDATE sessions s SET ended_at = service_now() FROM target t
    WHERE s.account_id = t.account_id AND s.ended_at IS NULL ${others}`
  return { name: 'ended_sessions', sql }
}

/** Ends the session of the account that a new one replaces. */
export const endReplaced = (id: string): string =>
  `UPDATE sessions s SET ended_at = service_now() FROM target t WHERE s.account_id = t.account_id AND s.id = ${id}`

/**
 * Ends the least recently used sessions of an account, so that a new one exceeds no limit.
 *
 * @param from the part with the account, whose id is in the column `id`
 */
export const endSurplus = (from: string, id: string, condition = ''): string => `
  UPDATE sessions SET ended_at = service_now()
  WHERE ended_at IS NULL AND id IN (
    SELECT id FROM sessions WHERE account_id = (SELECT ${id} FROM ${from}) AND ended_at IS NULL ${condition}
    ORDER BY refreshed_at DESC, id OFFSET ${LIMITS.sessions.max - 1})`
