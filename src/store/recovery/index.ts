import type { Bind, Part } from '../../database/composed.ts'
import { nowSql } from '../../database/now.ts'
import type { Clock } from '../../domain/clock.ts'
import { maskPhone } from '../../domain/mask.ts'
import type { PhoneVerification } from '../../domain/phones/code-window.ts'
import type { RecoverableAccount, RecoverableOwner } from '../../domain/accounts/recovery.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { MailAttempt, NewMail } from '../../domain/mail.ts'
import type { Database } from '../../database/index.ts'
import { queryOnlyRow, queryRow } from '../../database/query.ts'
import { takenField } from '../../database/database-errors.ts'
import { INVALIDATE_RECOVERY } from '../accounts/revocations.ts'
import { toPersonalDetails } from '../accounts/owner.ts'
import { setAccount } from '../accounts/update-account.ts'
import type { Change, InChange } from '../changes.ts'
import { useWindow } from '../phone-verifications.ts'
import { mailsJson } from '../mails/rows.ts'
import { lockByPhone, lockByToken, toRecoverable, verifyByCode } from './locks.ts'
import { toAuditEvent, toReset, type Records } from './reset.ts'
import {
  ADD_TOKEN,
  BY_EMAIL,
  BY_TOKEN,
  HAS_PHONE,
  releaseEmail,
  RESET_BY_EMAIL,
  RESET_BY_PHONE,
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
  byToken(tokenHash: Hash): Promise<RecoverableOwner | undefined>
  /** @param change.window the window of the code, which an address that was never verified requires */
  resetByToken(tokenHash: Hash, change: NewPassword, records: Records): Promise<Recovered | undefined>
  resetByPhone(change: NewPassword & { window: PhoneVerification }, records: Records): Promise<Recovered | undefined>
  /** Removes an address that was never verified from the account. */
  release(tokenHash: Hash, auditContext: AuditContext): Promise<RecoverableAccount | undefined>
}

type Hash = Uint8Array<ArrayBuffer>
type NewPassword = { passwordHash: string; window: PhoneVerification | undefined }

export function recovery({ pool }: Database, { clock, inChange }: { clock: Clock; inChange: InChange }): Recovery {
  const shift = (): number => clock.shiftMs() / 1000

  return {
    async byEmail(email) {
      const row = await queryRow(pool, BY_EMAIL, shift(), email)
      return row && toRecoverable(row)
    },
    hasPhone: async (e164) => (await queryOnlyRow(pool, HAS_PHONE, shift(), e164)).isFound,
    async addToken({ id, email }, tokenHash, { request, message }) {
      const values = [shift(), id, tokenHash, email, request.id, request.takenAt, mailsJson([message])]
      return (await pool.query(ADD_TOKEN, values)).rowCount === 1
    },
    async byToken(tokenHash) {
      const row = await queryRow(pool, BY_TOKEN, shift(), tokenHash)
      return row && { ...toRecoverable(row), owner: toPersonalDetails(row) }
    },
    resetByToken: (tokenHash, { passwordHash, window }, records) =>
      inChange(async ({ transaction, write }) => {
        const account = await lockByToken(transaction, tokenHash, shift())
        if (!account) return undefined
        if (account.needsCode) await verifyByCode(transaction, account, window, shift())
        const { id, email } = account
        await write(id, toReset({ id, email }, { passwordHash, suspended: RESET_BY_EMAIL }, records))
        return account
      }),
    async resetByPhone({ passwordHash, window }, { auditContext, toMails }) {
      const records = { auditContext: { ...auditContext, subject: maskPhone(window.phone) }, toMails }
      const done = inChange(async ({ transaction, write }) => {
        const account = await lockByPhone(transaction, window.phone, shift())
        await useWindow(transaction, window)
        if (account) await write(account.id, toReset(account, { passwordHash, suspended: RESET_BY_PHONE }, records))
        return account
      })
      return done.catch((error: unknown) => {
        if (takenField(error) === 'phone') return undefined // another account has verified the number concurrently
        throw error
      })
    },
    release: (tokenHash, auditContext) =>
      inChange((change) => releaseAddress(change, { tokenHash, auditContext, shiftSeconds: shift() })),
  }
}

type Release = { tokenHash: Hash; auditContext: AuditContext; shiftSeconds: number }

/** Removes the unverified address of the account of a token. The token of a verified address is only used. */
async function releaseAddress(
  { transaction, write }: Change,
  { tokenHash, auditContext, shiftSeconds }: Release,
): Promise<RecoverableAccount | undefined> {
  const account = await lockByToken(transaction, tokenHash, shiftSeconds)
  if (!account) return undefined
  if (!account.needsCode) {
    await write(account.id, { parts: (bind) => [useToken(tokenHash, bind)] })
    return undefined
  }
  await write(account.id, {
    parts: (bind) => [setAccount(releaseEmail(nowSql(bind(shiftSeconds)))), ...INVALIDATE_RECOVERY],
    isUpdate: true,
    auditEvents: [toAuditEvent('email_released', account, auditContext)],
  })
  return account
}

function useToken(tokenHash: Hash, bind: Bind): Part {
  return { name: 'used', sql: `DELETE FROM password_resets WHERE token_hash = ${bind(tokenHash)}` }
}
