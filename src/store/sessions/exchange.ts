import type pg from 'pg'
import { column, pick, query, queryRow, table } from '../../database/sql.ts'
import { IS_ACTIVE } from './state.ts'
import {
  evaluateExchange,
  sessionEndMs,
  type ExchangeResult,
  type RefreshClaims,
} from '../../domain/sessions/session.ts'

const s = table('Session', 's')
const a = table('Account', 'a')

/** Returns an active session of an active account, with its account. */
export const CONTINUABLE = query(
  {
    now: column<Date>('service_now()'),
    ...pick(s, 'generation', 'successorUnused', 'lostSuccessors', 'createdAt', 'refreshedAt'),
    accountId: a.id,
    email: a.email,
  },
  (list) => `
    SELECT ${list} FROM sessions s JOIN accounts a ON a.id = s.account_id
    WHERE s.id = $1 AND ${IS_ACTIVE}`,
  'continuable-session',
)

/** The change of the session `$1` by outcome, unless its token of generation `$2` was used concurrently. */
const CHANGES: Partial<Record<ExchangeResult['outcome'], { name: string; text: string }>> = {
  exchanged: {
    name: 'exchange-token',
    text: `UPDATE sessions SET generation = generation + 1, refreshed_at = $3, successor_unused = true, lost_successors = 0
      WHERE id = $1 AND generation = $2 AND ended_at IS NULL`,
  },
  renewed: {
    name: 'renew-token',
    text: `UPDATE sessions SET generation = $2 + 1, refreshed_at = $3, lost_successors = lost_successors + 1
      WHERE id = $1 AND generation = $2 AND successor_unused AND ended_at IS NULL`,
  },
  reused: {
    name: 'end-reused-session',
    text: `UPDATE sessions SET ended_at = $3 WHERE id = $1 AND generation = $2 AND ended_at IS NULL`,
  },
}

/**
 * Records that access tokens of the sessions `$1` with the generations `$2` were used. A session that another statement is
 * changing is left out, because it is refreshed or ends.
 */
export const RECORD_USE = `
  UPDATE sessions SET successor_unused = false
  WHERE id IN (
    SELECT s.id FROM sessions s JOIN unnest($1::uuid[], $2::int[]) AS used (id, generation) USING (id, generation)
    WHERE s.successor_unused FOR NO KEY UPDATE OF s SKIP LOCKED)`

/**
 * Exchanges a refresh token.
 *
 * @returns undefined if the session has ended or the account is suspended, 'overtaken' if a concurrent exchange was
 * faster
 */
export async function tryExchange(
  pool: pg.Pool,
  { sessionId, generation }: RefreshClaims,
): Promise<ExchangeResult | undefined | 'overtaken'> {
  const row = await queryRow(pool, CONTINUABLE, sessionId)
  if (!row) return undefined
  const session = { ...row, createdAtMs: row.createdAt.getTime(), refreshedAtMs: row.refreshedAt.getTime() }
  const outcome = evaluateExchange(session, generation, row.now.getTime())
  const change = CHANGES[outcome]
  if (change) {
    const { rowCount } = await pool.query({ ...change, values: [sessionId, row.generation, row.now] })
    if (rowCount !== 1) return 'overtaken'
  }
  const isNext = outcome === 'exchanged' || outcome === 'renewed'
  const { accountId, email } = row
  return { outcome, accountId, email, generation: row.generation + (isNext ? 1 : 0), endsAtMs: sessionEndMs(session) }
}
