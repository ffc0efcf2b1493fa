// The state of a session, as parts of SQL statements.
import { LIMITS } from '../../../generated/limits.ts'
import { column, type Columns } from '../../database/columns.ts'
import { NOW } from '../../database/query.ts'
import type { SessionAge } from '../../domain/sessions/recent-authentication.ts'

const { idle_days, session_days } = LIMITS.refresh_token

/** Whether a session can still be used. */
export const LIVES = `ended_at IS NULL AND refreshed_at > ${NOW} - interval '${idle_days} days'
  AND created_at > ${NOW} - interval '${session_days} days'`

/**
 * Returns whether the session `s` of the account `a` authenticates requests. A reset of lost second factors ends the sessions that began
 * before it took effect, because a thief could begin them with a stolen factor.
 */
export function isActive(now = NOW): string {
  return `(a.status = 'active' AND s.ended_at IS NULL
    AND (a.factors_reset_at IS NULL OR a.factors_reset_at > ${now} OR a.factors_reset_at < s.created_at))`
}

/** The account `a` with its session `s`, of the parameters `$2` and `$3` */
export const OF_BEARER = `a.id = $2 AND s.id = $3::uuid AND ${isActive()}`
export const BEARER = `SELECT a.id FROM accounts a JOIN sessions s ON s.account_id = a.id WHERE ${OF_BEARER}`

/** The seconds since the password was last verified in the session `s` */
export const AUTHENTICATION_AGE: Columns<SessionAge> = {
  authenticationAgeSeconds: column(`extract(epoch FROM now() - s.authenticated_at)::float8`),
}
