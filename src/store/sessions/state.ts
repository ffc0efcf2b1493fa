// The state of a session, as parts of SQL statements.
import { LIMITS } from '../../../generated/limits.ts'
import { column, type Columns } from '../../database/sql.ts'
import type { SessionAge } from '../../domain/sessions/recent-authentication.ts'

const { idle_days, session_days } = LIMITS.refresh_token

/** Whether a session can still be used. */
export const LIVES = `ended_at IS NULL AND refreshed_at > service_now() - interval '${idle_days} days'
  AND created_at > service_now() - interval '${session_days} days'`

/**
 * Whether the session `s` of the account `a` authenticates requests. A reset of lost second factors ends the sessions that began
 * before it took effect, because a thief could begin them with a stolen factor.
 */
export const IS_ACTIVE = `(a.status = 'active' AND s.ended_at IS NULL
  AND (a.factors_reset_at IS NULL OR a.factors_reset_at > service_now() OR a.factors_reset_at < s.created_at))`

/** The account `a` with its session `s`, of the parameters `$1` and `$2` */
export const OF_BEARER = `a.id = $1 AND s.id = $2::uuid AND ${IS_ACTIVE}`
export const BEARER = `SELECT a.id FROM accounts a JOIN sessions s ON s.account_id = a.id WHERE ${OF_BEARER}`

/** The seconds since the password was last verified in the session `s` */
export const AUTHENTICATION_AGE: Columns<SessionAge> = {
  authenticationAgeSeconds: column(`extract(epoch FROM service_now() - s.authenticated_at)::float8`),
}
