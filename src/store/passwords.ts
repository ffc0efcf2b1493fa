import type { Prisma } from '../../generated/prisma/client.ts'
import type { Bearer } from '../domain/account.ts'
import type { AuditEvent, Trace } from '../domain/trace.ts'
import type { Log } from '../log.ts'
import { audited } from './audit.ts'
import type { Database } from './database.ts'

export type Passwords = {
  /** Replaces the hash of a password, unless it changed meanwhile, and ends the other sessions; resolves to whether it did. */
  change(bearer: Bearer, hash: { from: string; to: string }, trace: Trace): Promise<boolean>
}

export function passwords(database: Database, log: Log): Passwords {
  const inTransaction = audited(database, log)
  return {
    async change({ accountId, sessionId }, { from, to }, trace) {
      const eventsOf = (isChanged: boolean): AuditEvent[] =>
        isChanged ? [{ event: 'password_changed', accountId, ...trace }] : []
      return inTransaction(eventsOf, async (transaction) => {
        const { count } = await transaction.account.updateMany({
          where: { id: accountId, passwordHash: from, status: 'active' },
          data: { passwordHash: to },
        })
        if (count === 1) await endSessions(transaction, accountId, sessionId)
        return count === 1
      })
    },
  }
}

/** Ends the sessions of an account, but for one. */
export async function endSessions(
  transaction: Prisma.TransactionClient,
  accountId: number,
  but?: string,
): Promise<void> {
  await transaction.session.updateMany({
    where: { accountId, endedAt: null, ...(but !== undefined && { id: { not: but } }) },
    data: { endedAt: new Date() },
  })
}
