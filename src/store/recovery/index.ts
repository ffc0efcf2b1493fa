import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Clock } from '../../domain/clock.ts'
import { maskEmail, maskPhone } from '../../domain/mask.ts'
import type { PhoneVerification } from '../../domain/phones/code-window.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { MailAttempt, NewMail } from '../../domain/mail.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import type { Database } from '../../database/index.ts'
import { queryOnlyRow, queryRow, type Query } from '../../database/query.ts'
import { takenField } from '../../database/database-errors.ts'
import { invalidateRecovery } from '../accounts/revocations.ts'
import { useWindow } from '../phone-verifications.ts'
import { profileUpdatedEvent } from '../profiles/events.ts'
import type { EnqueueEvents } from '../events/outbox.ts'
import { mailsJson } from '../mails/rows.ts'
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
   * Stores the hash of a token, and the e-mail with it in place of the request for it.
   *
   * @returns false if the address no longer recovers the account, or another process has taken the request
   */
  addToken(
    account: { id: number; email: string },
    tokenHash: Hash,
    mail: { request: MailAttempt; message: NewMail },
  ): Promise<boolean>
  byToken(tokenHash: Hash): Promise<RecoverableAccount | undefined>
  /** @param change.window the window of the code, which an address that was never verified requires */
  resetByToken(tokenHash: Hash, change: Change, records: Records): Promise<Recovered | undefined>
  resetByPhone(change: Change & { window: PhoneVerification }, records: Records): Promise<Recovered | undefined>
  /** Removes an address that was never verified from the account. */
  release(tokenHash: Hash, auditContext: AuditContext): Promise<RecoverableAccount | undefined>
}

type Transaction = Prisma.TransactionClient
type Hash = Uint8Array<ArrayBuffer>
/** What a reset records: its audit event, and the e-mails to the account */
type Records = Readonly<{ auditContext: AuditContext; toMails: (recovered: Recovered) => readonly NewMail[] }>
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
    async addToken({ id, email }, tokenHash, { request, message }) {
      const values = [shift(), id, tokenHash, email, request.id, request.takenAt, mailsJson([message])]
      return (await pool.query(ADD_TOKEN, values)).rowCount === 1
    },
    byToken: (tokenHash) => find(BY_TOKEN, tokenHash),
    async resetByToken(tokenHash, { passwordHash, window }, { auditContext, toMails }) {
      const use = async (transaction: Transaction): Promise<Recovered | undefined> => {
        const account = await takeToken(transaction, tokenHash, shift())
        if (!account) return undefined
        if (account.needsCode) await verifyByCode(transaction, account, window, shift())
        return reset(transaction, account, RESET_BY_EMAIL, passwordHash)
      }
      return inTransaction(toAuditEvents('password_reset', auditContext), use, toMails)
    },
    async resetByPhone({ passwordHash, window }, { auditContext, toMails }) {
      const about = { ...auditContext, subject: maskPhone(window.phone) }
      const use = async (transaction: Transaction): Promise<Recovered | undefined> => {
        const account = await lockByPhone(transaction, window.phone, shift())
        await useWindow(transaction, window)
        return account && reset(transaction, account, RESET_BY_PHONE, passwordHash)
      }
      const done = inTransaction(toAuditEvents('password_reset', about), use, toMails)
      return done.catch((error: unknown) => {
        if (takenField(error) === 'phone') return undefined // another account has verified the number concurrently
        throw error
      })
    },
    async release(tokenHash, auditContext) {
      return inTransaction(toAuditEvents('email_released', auditContext), (transaction) =>
        releaseAddress(transaction, tokenHash, shift(), parts.enqueueEvents),
      )
    },
  }
}

/** Removes the unverified address of the account of a token. */
async function releaseAddress(
  transaction: Transaction,
  tokenHash: Hash,
  shiftSeconds: number,
  enqueueEvents: EnqueueEvents,
): Promise<RecoverableAccount | undefined> {
  const account = await takeToken(transaction, tokenHash, shiftSeconds)
  if (!account?.needsCode) return undefined
  await transaction.$executeRawUnsafe(RELEASE, shiftSeconds, account.id)
  await invalidateRecovery(transaction, account.id)
  await enqueueEvents(transaction, await profileUpdatedEvent(transaction, account.id))
  return account
}

/** Returns a function that creates the audit events. The subject is the identifier that was used. */
function toAuditEvents(event: 'password_reset' | 'email_released', auditContext: AuditContext) {
  return (changed: Recovered | undefined): AuditEvent[] =>
    changed
      ? [{ event, accountId: changed.id, ...auditContext, subject: auditContext.subject ?? maskEmail(changed.email) }]
      : []
}
