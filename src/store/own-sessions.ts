import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { endSession, holdAccount } from './own-account.ts'
import { BEGIN, LIVES, type NewSession } from './sessions.ts'

/**
 * Changes of the sessions of the account behind a token. Each locks the account first, so that no session that is begun
 * or replaced at the same time escapes.
 */
export type OwnSessions = {
  /**
   * Replaces the session of the token by a new one, and records it.
   *
   * @param session.passwordHash the hash that the password was compared with
   * @returns undefined when the account has another hash by now; then the session continues
   * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile
   */
  replace(bearer: Bearer, session: Omit<NewSession, 'accountId'>, trace: Trace): Promise<string | undefined>
  /**
   * Ends one session by its id, or all others, and records it. Resolves to how many have ended.
   *
   * @throws Failure 401 `token_revoked`, 403 `reauthentication_required`
   */
  end(bearer: Bearer, which: { id: string } | 'others', event: AuditEvent): Promise<number>
}

const END = (which: string): string => `
  UPDATE sessions SET ended_at = now() WHERE account_id = $2 AND ${which} $3::uuid AND ${LIVES}`
const END_ONE = END('id =')
const END_OTHERS = END('id <>')

export function ownSessions(database: Database, { clock, log }: { clock: Clock; log: Log }): OwnSessions {
  const inTransaction = audited(database, log)
  return {
    async replace(bearer, session, trace) {
      const { accountId, sessionId } = bearer
      const eventsOf = (id: string | undefined): AuditEvent[] =>
        id === undefined ? [] : [{ event: 'reauthenticated', accountId, ...trace }]
      return inTransaction(eventsOf, async (transaction) => {
        const { passwordHash } = await holdAccount(transaction, bearer)
        if (passwordHash !== session.passwordHash) return undefined
        await endSession(transaction, sessionId)
        return beginSession(transaction, clock, { accountId, ...session })
      })
    },
    async end(bearer, which, event) {
      const { accountId, sessionId } = bearer
      const [text, id] = which === 'others' ? [END_OTHERS, sessionId] : [END_ONE, which.id]
      const eventsOf = (ended: number): AuditEvent[] => (which === 'others' || ended > 0 ? [event] : [])
      return inTransaction(eventsOf, async (transaction) => {
        await holdAccount(transaction, bearer)
        return transaction.$executeRawUnsafe(text, clock.shiftMs() / 1000, accountId, id)
      })
    },
  }
}

/** Begins a session of an account that the transaction has locked, and returns its id. */
export async function beginSession(
  transaction: Prisma.TransactionClient,
  clock: Clock,
  { accountId, address, userAgent, passwordHash }: NewSession,
): Promise<string> {
  const values = [clock.shiftMs() / 1000, accountId, address, userAgent ?? null, passwordHash]
  const [session] = await transaction.$queryRawUnsafe<{ id: string }[]>(BEGIN, ...values)
  if (!session) throw new Error('a session that was inserted has no id')
  return session.id
}
