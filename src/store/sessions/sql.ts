// The statements that begin a session. `$1` is the number of seconds that the service is ahead of the database.
import { LIMITS } from '../../../generated/limits.ts'
import { select, table } from '../../database/columns.ts'
import { NOW } from '../../database/now.ts'
import { query, type Query } from '../../database/query.ts'
import { auditInsertForEach } from '../audit/insert.ts'

const s = table('Session', 's')

/** Columns and values of a session that begins now, from the address `$3` with the user agent `$4` */
export const SESSION_COLUMNS = '(account_id, address, user_agent, created_at, refreshed_at, authenticated_at)'
export const SESSION_VALUES = `$3, $4, ${NOW}, ${NOW}, ${NOW}`

/**
 * Creates a session of the account `$2` if its password hash is still `$5`. A concurrent change of the password waits
 * for this statement and then revokes the session, or this statement waits for the change and creates none.
 *
 * @param also further parts of the statement
 */
const beginning = (name: string, also = ''): Query<{ id: string }> =>
  query(
    select<{ id: string }>({ id: s.id }),
    (list) => `
      WITH account AS (
        SELECT id FROM accounts WHERE id = $2 AND status = 'active' AND password_hash = $5 FOR SHARE),
      surplus AS (
        UPDATE sessions SET ended_at = now()
        WHERE account_id IN (SELECT id FROM account) AND ended_at IS NULL AND id IN (
          SELECT id FROM sessions WHERE account_id = $2 AND ended_at IS NULL
          ORDER BY refreshed_at DESC, id OFFSET ${LIMITS.sessions.max - 1})),
      s AS (INSERT INTO sessions ${SESSION_COLUMNS} SELECT id, ${SESSION_VALUES} FROM account RETURNING *)${also}
      SELECT ${list} FROM s`,
    name,
  )
export const BEGIN = beginning('begin-session')
/** Also records the login: `$6` to `$9` are those of the audit event. */
export const LOG_IN = beginning('log-in', `, audit AS (${auditInsertForEach(6, { accountId: 'id', from: 'account' })})`)
