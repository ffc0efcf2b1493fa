import type { Bearer } from '../../domain/accounts/account.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import { logAuditEvents, auditParameters } from '../audit/index.ts'
import { column, execute, query, queryOnlyRow, queryRow } from '../../database/sql.ts'
import { Failure } from '../../domain/failure.ts'
import { lockAndAuthorizeAccount } from '../accounts/lock-account.ts'
import type { StoreParts } from '../changes.ts'
import { revoke } from '../revocation/index.ts'
import { REPLACE_OWN, type NewSession } from './begin.ts'
import { END_ONE, END_OWN } from './end.ts'
import { LIVES } from './state.ts'

/**
 * Changes of the sessions of the account of a token. Each locks the account first, so that sessions that are created or
 * replaced concurrently are included.
 */
export type OwnSessions = {
  /**
   * Replaces the session of the token with a new one, and records it.
   *
   * @param session.passwordHash the hash that the password was compared with
   * @returns undefined if the account now has another hash; the session is then not replaced
   * @throws Failure 401 `token_revoked` if the session was revoked or the account is suspended
   */
  replace(
    bearer: Bearer,
    session: Omit<NewSession, 'accountId'>,
    auditContext: AuditContext,
  ): Promise<string | undefined>
  /**
   * Revokes the session of the token, and records it.
   *
   * @throws Failure 401 `token_revoked`
   */
  endOwn(bearer: Bearer, event: AuditEvent): Promise<void>
  /**
   * Revokes one session by its id, and records it. Returns whether it was active.
   *
   * @throws Failure 401 `token_revoked`, 403 `reauthentication_required`
   */
  end(bearer: Bearer, sessionId: string, event: AuditEvent): Promise<boolean>
  /** Revokes everything except the session of the token, and records it. Returns the number of ended sessions. Throws like `end`. */
  endOthers(bearer: Bearer, event: AuditEvent): Promise<number>
}

/** The sessions of the account `$1` besides `$2` that can still be used */
const OTHERS = query<{ count: number }>(
  { count: column('count(*)::int') },
  (list) => `SELECT ${list} FROM sessions WHERE account_id = $1 AND id <> $2::uuid AND ${LIVES}`,
  'count-other-sessions',
)

export function ownSessions({ pool, log, inChange }: StoreParts): OwnSessions {
  return {
    async replace({ accountId, sessionId }, { passwordHash, address, userAgent }, auditContext) {
      const event = { event: 'reauthenticated', accountId, ...auditContext } as const
      const values = [accountId, address, userAgent ?? null, passwordHash, sessionId]
      const row = await queryRow(pool, REPLACE_OWN, ...values, ...auditParameters(event))
      if (!row) throw new Failure('token_revoked')
      if (row.id === null) return undefined
      logAuditEvents([event], log)
      return row.id
    },
    async endOwn({ accountId, sessionId }, event) {
      const values = [accountId, sessionId, ...auditParameters(event)]
      const row = await queryRow(pool, END_OWN, ...values)
      if (!row) throw new Failure('token_revoked')
      if (row.ended > 0) logAuditEvents([event], log)
    },
    end: (bearer, sessionId, event) =>
      inChange(async (change) => {
        const { accountId } = bearer
        await lockAndAuthorizeAccount(change, bearer)
        const ended = await execute(change.transaction, END_ONE, accountId, sessionId)
        if (ended > 0) await change.record(accountId, { auditEvents: [event] })
        return ended > 0
      }),
    endOthers: (bearer, event) =>
      inChange(async (change) => {
        const { accountId, sessionId } = bearer
        await lockAndAuthorizeAccount(change, bearer)
        const { count } = await queryOnlyRow(change.transaction, OTHERS, accountId, sessionId)
        const revoked = await revoke(change, accountId, { askedBy: sessionId, except: sessionId })
        await change.record(accountId, { ...revoked, auditEvents: [event] })
        return count
      }),
  }
}
