import type { Bearer } from '../domain/account.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'
import { endRecovery, endSessions, holdAccount } from './own-account.ts'

export type Passwords = {
  /**
   * Replaces the hash of a password, unless it changed meanwhile, and ends the other sessions; resolves to whether it did.
   *
   * @throws Failure 401 `token_revoked` when the session or the account has ended meanwhile
   */
  change(bearer: Bearer, hash: { from: string; to: string }, trace: Trace): Promise<boolean>
}

export function passwords(database: Database, { log }: { log: Log }): Passwords {
  const inTransaction = audited(database, log)
  return {
    async change(bearer, { from, to }, trace) {
      const { accountId, sessionId } = bearer
      const eventsOf = (isChanged: boolean): AuditEvent[] =>
        isChanged ? [{ event: 'password_changed', accountId, ...trace }] : []
      return inTransaction(eventsOf, async (transaction) => {
        await holdAccount(transaction, bearer)
        const { count } = await transaction.account.updateMany({
          where: { id: accountId, passwordHash: from },
          data: { passwordHash: to },
        })
        if (count === 0) return false
        await endSessions(transaction, accountId, sessionId)
        await endRecovery(transaction, accountId)
        return true
      })
    },
  }
}
