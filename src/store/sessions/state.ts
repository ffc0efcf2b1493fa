// The state of a session, as parts of SQL statements.
import { LIMITS } from '../../../generated/limits.ts'
import { column, type Columns } from '../../database/columns.ts'
import { NOW } from '../../database/query.ts'
import type { SessionAge } from '../../domain/sessions/recent-authentication.ts'

const { idle_days, session_days } = LIMITS.refresh_token

/** Whether a session can still be used. */
export const LIVES = `ended_at IS NULL AND refreshed_at > ${NOW} - interval '${idle_days} days'
  AND created_at > ${NOW} - interval '${session_days} days'`
/** Selects the account `$2` if its session `$3` is active. */
export const BEARER = `SELECT a.id FROM accounts a JOIN sessions s ON s.account_id = a.id
  WHERE a.id = $2 AND s.id = $3 AND s.ended_at IS NULL AND a.status = 'active'`

/** The seconds since the password was last verified in the session `s` */
export const AUTHENTICATION_AGE: Columns<SessionAge> = {
  authenticationAgeSeconds: column(`extract(epoch FROM now() - s.authenticated_at)::float8`),
}
