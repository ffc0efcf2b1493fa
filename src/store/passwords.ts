import type { Bearer } from '../domain/account.ts'
import type { Clock } from '../domain/clock.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { endRecovery, endSessions, holdAccount } from './own-account.ts'
import { beginSession } from './own-sessions.ts'

export type Passwords = {
  /**
   * Replaces the hash of a password, unless it changed meanwhile, ends all sessions and begins a new one.
   *
   * @returns the id of the new session; undefined when the account has another hash by now
   * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile
   */
  change(bearer: Bearer, change: PasswordChange): Promise<string | undefined>
}

export type PasswordChange = Readonly<{
  from: string
  to: string
  client: { address: string; userAgent: string | undefined }
  trace: Trace
}>

export function passwords(database: Database, { clock, log }: { clock: Clock; log: Log }): Passwords {
  const inTransaction = audited(database, log)
  return {
    async change(bearer, { from, to, client: { address, userAgent }, trace }) {
      const { accountId } = bearer
      const eventsOf = (sessionId: string | undefined): AuditEvent[] =>
        sessionId === undefined ? [] : [{ event: 'password_changed', accountId, ...trace }]
      return inTransaction(eventsOf, async (transaction) => {
        await holdAccount(transaction, bearer)
        const { count } = await transaction.account.updateMany({
          where: { id: accountId, passwordHash: from },
          data: { passwordHash: to },
        })
        if (count === 0) return undefined
        await endSessions(transaction, accountId)
        await endRecovery(transaction, accountId)
        return beginSession(transaction, clock, { accountId, passwordHash: to, address, userAgent })
      })
    },
  }
}
