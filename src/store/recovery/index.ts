import type { Clock } from '../../domain/clock.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'
import type { PhoneVerification } from '../../domain/phones/code-window.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import type { Database } from '../../database/index.ts'
import { queryOnlyRow, queryRow, type Query } from '../../database/query.ts'
import { takenField } from '../../database/database-errors.ts'
import { invalidateRecovery } from '../accounts/revocations.ts'
import { useWindow } from '../phone-verifications.ts'
import { profileUpdatedEvent } from '../profiles/events.ts'
import type { EnqueueEvents } from '../events/outbox.ts'
import { lockByPhone, takeToken, toRecoverable, verifyByCode } from './locks.ts'
import { reset } from './reset.ts'
import {
  ADD_TOKEN,
  BY_EMAIL,
  BY_TOKEN,
  HAS_PHONE,
  RELEASE,
  RESET_BY_EMAIL,
  RESET_BY_PHONE,
  type RecoverableRow,
  type Recovered,
} from './sql.ts'

/**
 * Recovery of an account without its password. Resets revoke all sessions and invalidate all other tokens and codes.
 * Methods that return undefined have not changed an account, because the token or the number does not recover one.
 */
export type Recovery = {
  byEmail(email: string): Promise<RecoverableAccount | undefined>
  /** Returns whether a code sent to the number can reset the password of an account. */
  hasPhone(e164: string): Promise<boolean>
  /**
   * Stores the hash of a token that is sent by e-mail.
   *
   * @returns false if the address no longer recovers the account
   */
  addToken(account: { id: number; email: string }, tokenHash: Hash): Promise<boolean>
  byToken(tokenHash: Hash): Promise<RecoverableAccount | undefined>
  /** @param change.window the window of the code, which an address that was never verified requires */
  resetByToken(tokenHash: Hash, change: Change, auditContext: AuditContext): Promise<Recovered | undefined>
  resetByPhone(
    change: Change & { window: PhoneVerification },
    auditContext: AuditContext,
  ): Promise<Recovered | undefined>
  /** Removes an address that was never verified from the account. */
  release(tokenHash: Hash, auditContext: AuditContext): Promise<RecoverableAccount | undefined>
}

type Hash = Uint8Array<ArrayBuffer>
type Change = { passwordHash: string; window: PhoneVerification | undefined }

export function recovery(
  database: Database,
  parts: { clock: Clock; log: Log; enqueueEvents: EnqueueEvents },
): Recovery {
  const { pool } = database
  const inTransaction = audited(database, parts.log)
  const shift = (): number => parts.clock.shiftMs() / 1000

  const find = async (by: Query<RecoverableRow>, key: string | Hash): Promise<RecoverableAccount | undefined> => {
    const row = await queryRow(pool, by, shift(), key)
    return row && toRecoverable(row)
  }
  return {
    byEmail: (email) => find(BY_EMAIL, email),
    hasPhone: async (e164) => (await queryOnlyRow(pool, HAS_PHONE, shift(), e164)).isFound,
    addToken: async ({ id, email }, tokenHash) =>
      (await pool.query(ADD_TOKEN, [shift(), id, tokenHash, email])).rowCount === 1,
    byToken: (tokenHash) => find(BY_TOKEN, tokenHash),
    async resetByToken(tokenHash, { passwordHash, window }, auditContext) {
      return inTransaction(toAuditEvents('password_reset', auditContext), async (transaction) => {
        const account = await takeToken(transaction, tokenHash, shift())
        if (!account) return undefined
        if (account.needsCode) await verifyByCode(transaction, account, window, shift())
        return reset(transaction, account, RESET_BY_EMAIL, passwordHash)
      })
    },
    async resetByPhone({ passwordHash, window }, auditContext) {
      const about = { ...auditContext, subject: maskPhone(window.phone) }
      return inTransaction(toAuditEvents('password_reset', about), async (transaction) => {
        const account = await lockByPhone(transaction, window.phone, shift())
        await useWindow(transaction, window)
        return account && reset(transaction, account, RESET_BY_PHONE, passwordHash)
      }).catch((error: unknown) => {
        if (takenField(error) === 'phone') return undefined // another account has verified the number concurrently
        throw error
      })
    },
    async release(tokenHash, auditContext) {
      return inTransaction(toAuditEvents('email_released', auditContext), async (transaction) => {
        const account = await takeToken(transaction, tokenHash, shift())
        if (!account?.needsCode) return undefined
        await transaction.$executeRawUnsafe(RELEASE, shift(), account.id)
        await invalidateRecovery(transaction, account.id)
        await parts.enqueueEvents(transaction, await profileUpdatedEvent(transaction, account.id))
        return account
      })
    },
  }
}

/** Returns a function that creates the audit events. The subject is the identifier that was used. */
function toAuditEvents(event: 'password_reset' | 'email_released', auditContext: AuditContext) {
  return (changed: Recovered | undefined): AuditEvent[] =>
    changed
      ? [{ event, accountId: changed.id, ...auditContext, subject: auditContext.subject ?? maskEmail(changed.email) }]
      : []
}
