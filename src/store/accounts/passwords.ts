import type { Bearer } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import type { Database } from '../../database/index.ts'
import { lockAccountForUpdate } from './lock-account.ts'
import { invalidateRecovery, revokeSessions } from './revocations.ts'
import { beginSession } from '../sessions/own-sessions.ts'

export type Passwords = {
  /**
   * Replaces the password hash, unless it was changed concurrently, revokes all sessions and creates a new one.
   *
   * @returns the id of the new session; undefined if the account now has another hash
   * @throws Failure 401 `token_revoked` if the session was revoked or the account is suspended
   */
  change(bearer: Bearer, change: PasswordChange): Promise<string | undefined>
}

export type PasswordChange = Readonly<{
  from: string
  to: string
  client: { address: string; userAgent: string | undefined }
  auditContext: AuditContext
  /** The e-mails about the change */
  mails: readonly NewMail[]
}>

export function passwords(database: Database, { clock, log }: { clock: Clock; log: Log }): Passwords {
  const inTransaction = audited(database, log)
  return {
    async change(bearer, { from, to, client: { address, userAgent }, auditContext, mails }) {
      const { accountId } = bearer
      const toAuditEvents = (sessionId: string | undefined): AuditEvent[] =>
        sessionId === undefined ? [] : [{ event: 'password_changed', accountId, ...auditContext }]
      return inTransaction(
        toAuditEvents,
        async (transaction) => {
          await lockAccountForUpdate(transaction, bearer)
          const { count } = await transaction.account.updateMany({
            where: { id: accountId, passwordHash: from },
            data: { passwordHash: to },
          })
          if (count === 0) return undefined
          await revokeSessions(transaction, accountId)
          await invalidateRecovery(transaction, accountId)
          return beginSession(transaction, clock, { accountId, passwordHash: to, address, userAgent })
        },
        () => mails,
      )
    },
  }
}
