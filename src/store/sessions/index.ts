import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import { Failure } from '../../domain/failure.ts'
import type { ExchangeResult, RefreshClaims, SessionRow } from '../../domain/sessions/session.ts'
import { pick, query, queryOnlyRow, queryRow, queryRows, table } from '../../database/sql.ts'
import { auditParameters, logAuditEvents } from '../audit/index.ts'
import { CONTINUABLE, RECORD_USE, tryExchange } from './exchange.ts'
import { BEGIN, IS_TRUSTED, LOG_IN, type NewSession } from './begin.ts'
import { BEARER, IS_ACTIVE, LIVES } from './state.ts'
import { ownSessions, type OwnSessions } from './own-sessions.ts'
import type { StoreParts } from '../changes.ts'

export type Sessions = OwnSessions & {
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
  /** Records that access tokens were used that come from refreshes. */
  recordUse(used: readonly RefreshClaims[]): Promise<void>
  /** Returns the state of a session; undefined if it has ended or the account is suspended. */
  find(sessionId: string): Promise<{ accountId: number; email: string; generation: number } | undefined>
  /**
   * Returns the sessions of the account of a token, the most recently used first.
   *
   * @throws Failure 401 `token_revoked`
   */
  list(bearer: Bearer): Promise<SessionRow[]>
  /** Returns whether a session of an account has begun from an address since a time, also if it has ended. */
  hasBegun(session: { accountId: number; address: string; since: Date }): Promise<boolean>
  /** Returns whether an account, or a certain one, knows a network well enough for the reserves of budgets. */
  isTrustedNetwork(network: string, accountId?: number): Promise<boolean>
}

/** Of concurrent exchanges, one always succeeds, so a few attempts are enough. */
const DECISIONS_MAX = 10

const s = table('Session', 's')

/** The session of the caller is the first row, because concurrent logins can exceed the limit for a moment. */
const LIST = query<SessionRow>(
  pick(s, 'id', 'userAgent', 'address', 'createdAt', 'refreshedAt'),
  (list) => `
    SELECT ${list} FROM sessions s WHERE s.account_id IN (${BEARER}) AND (s.id = $2 OR (${LIVES} AND EXISTS (
      SELECT FROM accounts a WHERE a.id = s.account_id AND ${IS_ACTIVE})))
    ORDER BY (s.id = $2) DESC, s.refreshed_at DESC, s.id LIMIT ${LIMITS.sessions.max}`,
  'list-sessions',
)

export function sessions(parts: StoreParts): Sessions {
  const { prisma, pool, log } = parts
  return {
    ...ownSessions(parts),
    async begin({ accountId, passwordHash, address, userAgent }, auditContext) {
      const values = [accountId, address, userAgent ?? null, passwordHash]
      if (!auditContext) return (await queryRow(pool, BEGIN, ...values))?.id
      const event = { event: 'login', accountId, ...auditContext } as const
      const row = await queryRow(pool, LOG_IN, ...values, ...auditParameters(event))
      if (row) logAuditEvents([event], log)
      return row?.id
    },
    async exchange(claims) {
      for (let decisions = 0; decisions < DECISIONS_MAX; decisions++) {
        const exchange = await tryExchange(pool, claims)
        if (exchange !== 'overtaken') return exchange
      }
      throw new Failure('overloaded', { retryAfterSeconds: 1 })
    },
    async recordUse(used) {
      const values = [used.map(({ sessionId }) => sessionId), used.map(({ generation }) => generation)]
      await pool.query({ name: 'record-used-tokens', text: RECORD_USE, values })
    },
    find: (sessionId) => queryRow(pool, CONTINUABLE, sessionId),
    async list({ accountId, sessionId }) {
      const rows = await queryRows(pool, LIST, accountId, sessionId)
      if (!rows.some(({ id }) => id === sessionId)) throw new Failure('token_revoked')
      return rows.sort((one, other) => other.refreshedAt.getTime() - one.refreshedAt.getTime())
    },
    hasBegun: async ({ accountId, address, since }) =>
      (await prisma.session.count({ where: { accountId, address, createdAt: { gte: since } } })) > 0,
    isTrustedNetwork: async (network, accountId) =>
      (await queryOnlyRow(pool, IS_TRUSTED, network, accountId ?? null)).isTrusted,
  }
}
