import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { Clock } from '../../domain/clock.ts'
import { Failure } from '../../domain/failure.ts'
import type { ExchangeResult, RefreshClaims, SessionRow } from '../../domain/sessions/session.ts'
import type { Log } from '../../lib/log.ts'
import { select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { NOW, query, queryOnlyRow, queryRow, queryRows } from '../../database/query.ts'
import { auditParameters, logAuditEvents } from '../audit/index.ts'
import { findContinuable, tryExchange } from './exchange.ts'
import { IS_KNOWN, BEGIN, LOG_IN } from './begin.ts'

export type Sessions = {
  /**
   * Creates a session and returns its id. Beyond the limit, the least recently used session of the account is revoked.
   *
   * @param session.passwordHash the hash that the password was compared with
   * @param auditContext records the session as a login
   * @returns undefined if the account now has another hash or is not active
   */
  begin(session: NewSession, auditContext?: AuditContext): Promise<string | undefined>
  /** Exchanges a refresh token; undefined if its session has ended or the account is suspended. */
  exchange(claims: RefreshClaims): Promise<ExchangeResult | undefined>
  /** Returns the state of a session; undefined if it has ended or the account is suspended. */
  find(sessionId: string): ReturnType<typeof findContinuable>
  /**
   * Returns the sessions of the account of a token, the most recently used first.
   *
   * @throws Failure 401 `token_revoked`
   */
  list(bearer: Bearer): Promise<SessionRow[]>
  /** Returns whether any account has logged in from a network recently. */
  isKnownNetwork(network: string): Promise<boolean>
}

export type NewSession = Readonly<{
  accountId: number
  passwordHash: string
  address: string
  userAgent: string | undefined
}>

/** Of concurrent exchanges, one always succeeds, so a few attempts are enough. */
const DECISIONS_MAX = 10

const { idle_days, session_days } = LIMITS.refresh_token

/** Whether a session can still be used. */
export const LIVES = `ended_at IS NULL AND refreshed_at > ${NOW} - interval '${idle_days} days'
  AND created_at > ${NOW} - interval '${session_days} days'`
/** Selects the account `$2` if its session `$3` is active. */
export const BEARER = `SELECT a.id FROM accounts a JOIN sessions s ON s.account_id = a.id
  WHERE a.id = $2 AND s.id = $3 AND s.ended_at IS NULL AND a.status = 'active'`

const s = table('Session', 's')

/** The session of the caller is the first row, because concurrent logins can exceed the limit for a moment. */
const LIST = query(
  select<SessionRow>({
    id: s.id,
    userAgent: s.userAgent,
    address: s.address,
    createdAt: s.createdAt,
    refreshedAt: s.refreshedAt,
  }),
  (list) => `
    SELECT ${list} FROM sessions s WHERE s.account_id IN (${BEARER}) AND (s.id = $3 OR ${LIVES})
    ORDER BY (s.id = $3) DESC, s.refreshed_at DESC, s.id LIMIT ${LIMITS.sessions.max}`,
)

export function sessions({ pool }: Database, { clock, log }: { clock: Clock; log: Log }): Sessions {
  const shift = (): number => clock.shiftMs() / 1000

  return {
    async begin({ accountId, passwordHash, address, userAgent }, auditContext) {
      const values = [shift(), accountId, address, userAgent ?? null, passwordHash]
      if (!auditContext) return (await queryRow(pool, BEGIN, ...values))?.id
      const event = { event: 'login', accountId, ...auditContext } as const
      const row = await queryRow(pool, LOG_IN, ...values, ...auditParameters(event))
      if (row) logAuditEvents([event], log)
      return row?.id
    },
    async exchange(claims) {
      for (let decisions = 0; decisions < DECISIONS_MAX; decisions++) {
        const exchange = await tryExchange(pool, claims, shift())
        if (exchange !== 'overtaken') return exchange
      }
      throw new Failure('overloaded', { retryAfterSeconds: 1 })
    },
    find: (sessionId) => findContinuable(pool, sessionId, shift()),
    async list({ accountId, sessionId }) {
      const rows = await queryRows(pool, LIST, shift(), accountId, sessionId)
      if (!rows.some(({ id }) => id === sessionId)) throw new Failure('token_revoked')
      return rows.sort((one, other) => other.refreshedAt.getTime() - one.refreshedAt.getTime())
    },
    isKnownNetwork: async (network) => (await queryOnlyRow(pool, IS_KNOWN, shift(), network)).isKnown,
  }
}
