import { LIMITS } from '../../generated/limits.ts'
import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import { Failure } from '../domain/failure.ts'
import { judgeExchange, type Exchange, type RefreshClaims, type SessionRow } from '../domain/session.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

export type Sessions = {
  /**
   * Begins a session and returns its id. One beyond the limit ends the session of the account that was not used for the
   * longest time.
   *
   * @param session.passwordHash the hash that the password was compared with
   * @returns undefined when the account has another hash by now or is not active
   */
  begin(session: NewSession): Promise<string | undefined>
  /** Exchanges a refresh token once; undefined when its session has ended or the account may not be used. */
  exchange(claims: RefreshClaims): Promise<Exchange | undefined>
  /** The sessions of the account behind a token, the one used last first; undefined when the token is no good. */
  list(bearer: Bearer): Promise<SessionRow[] | undefined>
}

export type NewSession = Readonly<{
  accountId: number
  passwordHash: string
  address: string
  userAgent: string | undefined
}>

/** Each decision but one among equals is final. */
const DECISIONS_MAX = 10

const { idle_days, session_days } = LIMITS.refresh_token

export const LIVES = `ended_at IS NULL AND refreshed_at > ${NOW} - interval '${idle_days} days'
  AND created_at > ${NOW} - interval '${session_days} days'`
/** The account `$2` whose session `$3` asks. */
const BEARER = `SELECT a.id FROM accounts a JOIN sessions s ON s.account_id = a.id
  WHERE a.id = $2 AND s.id = $3 AND s.ended_at IS NULL AND a.status = 'active'`

/**
 * Begins a session of the account `$2` if it still has the password hash `$5`. A change of the password waits for this
 * statement and then ends the session, or this statement waits for the change and begins none.
 */
export const BEGIN = `
  WITH account AS (
    SELECT id FROM accounts WHERE id = $2 AND status = 'active' AND password_hash = $5 FOR SHARE),
  surplus AS (
    UPDATE sessions SET ended_at = now() WHERE account_id IN (SELECT id FROM account) AND id IN (
      SELECT id FROM sessions WHERE account_id = $2 AND ended_at IS NULL
      ORDER BY refreshed_at DESC, id OFFSET ${LIMITS.sessions.max - 1}))
  INSERT INTO sessions (account_id, address, user_agent, created_at, refreshed_at, authenticated_at)
  SELECT id, $3, $4, ${NOW}, ${NOW}, ${NOW} FROM account
  RETURNING id`

const CONTINUABLE = `
  SELECT ${NOW} AS now, s.generation, s.created_at, s.refreshed_at, a.id AS account_id, a.email
  FROM sessions s JOIN accounts a ON a.id = s.account_id
  WHERE s.id = $2 AND s.ended_at IS NULL AND a.status = 'active'`

const LIST = `
  SELECT id, user_agent AS "userAgent", address, created_at AS "createdAt", refreshed_at AS "refreshedAt"
  FROM sessions WHERE account_id IN (${BEARER}) AND (id = $3 OR ${LIVES})
  ORDER BY refreshed_at DESC, id LIMIT ${LIMITS.sessions.max}`

export function sessions({ pool }: Database, clock: Clock): Sessions {
  const query = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>(text, [clock.shiftMs() / 1000, ...values])).rows

  const exchangeOnce = async ({
    sessionId,
    generation,
  }: RefreshClaims): Promise<Exchange | undefined | 'overtaken'> => {
    const [row] = await query<ContinuableRow>(CONTINUABLE, sessionId)
    if (!row) return undefined
    const session = {
      generation: row.generation,
      createdAtMs: row.created_at.getTime(),
      refreshedAtMs: row.refreshed_at.getTime(),
    }
    const verdict = judgeExchange(session, generation, row.now.getTime())
    const change = CHANGES[verdict]
    if (change) {
      const { rowCount } = await pool.query(change, [sessionId, row.generation, row.now])
      if (rowCount !== 1) return 'overtaken'
    }
    const isNext = verdict === 'exchanged'
    return { verdict, accountId: row.account_id, email: row.email, generation: row.generation + (isNext ? 1 : 0) }
  }
  return {
    async begin({ accountId, passwordHash, address, userAgent }) {
      const [row] = await query<{ id: string }>(BEGIN, accountId, address, userAgent ?? null, passwordHash)
      return row?.id
    },
    async exchange(claims) {
      for (let decisions = 0; decisions < DECISIONS_MAX; decisions++) {
        const exchange = await exchangeOnce(claims)
        if (exchange !== 'overtaken') return exchange
      }
      throw new Failure('overloaded', { retryAfterSeconds: 1 })
    },
    async list({ accountId, sessionId }) {
      const rows = await query<SessionRow>(LIST, accountId, sessionId)
      return rows.some(({ id }) => id === sessionId) ? rows : undefined
    },
  }
}

type ContinuableRow = {
  now: Date
  generation: number
  created_at: Date
  refreshed_at: Date
  account_id: number
  email: string
}

/** What a verdict changes of the session `$1`, unless somebody else has exchanged its token `$2` meanwhile. */
const CHANGES: Partial<Record<Exchange['verdict'], string>> = {
  exchanged: `UPDATE sessions SET generation = generation + 1, refreshed_at = $3
    WHERE id = $1 AND generation = $2 AND ended_at IS NULL`,
  reused: `UPDATE sessions SET ended_at = $3 WHERE id = $1 AND generation = $2 AND ended_at IS NULL`,
}
