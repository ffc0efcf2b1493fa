import type { Assigned } from '../../database/composed.ts'
import { execute, queryRow } from '../../database/sql.ts'
import { invalidData } from '../../domain/failure.ts'
import { maskPhone } from '../../domain/text.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { RecoverableAccount, RecoverableOwner } from '../../domain/accounts/recovery.ts'
import type { OpenedUndo } from '../../domain/accounts/undo.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { MailAttempt, NewMail } from '../../domain/mail.ts'
import { undefinedIfPhoneTaken } from '../../database/unique-conflicts.ts'
import { toPersonalDetails } from '../accounts/credentials.ts'
import { revoke } from '../revocation/index.ts'
import type { ModelChange, StoreParts } from '../changes.ts'
import { useVerification } from '../phone-verifications.ts'
import { mailsJson } from '../mails/rows.ts'
import { RELEASED_EMAIL } from './identifiers.ts'
import { lockByPhone, lockByToken } from './locks.ts'
import { reset, toAuditEvent, type Records } from './reset.ts'
import {
  ADD_TOKEN,
  BY_EMAIL,
  BY_TOKEN,
  BY_PHONE,
  toRecoverable,
  type ByPhone,
  type Resettable,
  type ResettableByToken,
} from './sql.ts'

/**
 * Recovery of an account without its password. Resets and releases are revocations.
 * Methods that return undefined have not changed an account, because the token or the number does not recover one.
 */
export type Recovery = {
  byEmail(email: string): Promise<RecoverableAccount | undefined>
  /**
   * Returns the account that a number recovers, and whether a code resets its password or only a link does.
   *
   * @param prefersEmail whether a code does not suffice if the address of the account can reset the password
   */
  byPhone(e164: string, prefersEmail: boolean): Promise<ByPhone | undefined>
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
  /** @param change.verification the verification of the code, which an address that was never verified requires */
  resetByToken(
    tokenHash: Hash,
    change: NewPassword,
    records: Records<ResettableByToken>,
  ): Promise<(RecoverableAccount & ResettableByToken & { opened: OpenedUndo }) | undefined>
  /** @param change.prefersEmail as for `byPhone` */
  resetByPhone(
    change: NewPassword & { verification: PhoneVerification; prefersEmail: boolean },
    records: Records<Resettable>,
  ): Promise<Resettable | undefined>
  /** Removes an address that was never verified from the account. Returns the account before, and its new address. */
  release(tokenHash: Hash, auditContext: AuditContext): Promise<Released | undefined>
}

type Hash = Uint8Array<ArrayBuffer>
type Released = RecoverableAccount & Readonly<{ placeholder: string }>
type NewPassword = { passwordHash: string; verification: PhoneVerification | undefined }

export function recovery({ pool, inModelChange }: StoreParts): Recovery {
  return {
    async byEmail(email) {
      const row = await queryRow(pool, BY_EMAIL, email)
      return row && toRecoverable(row)
    },
    byPhone: (e164, prefersEmail) => queryRow(pool, BY_PHONE, e164, prefersEmail),
    async addToken({ id, email }, tokenHash, { request, message }) {
      const values = [id, tokenHash, email, request.id, request.takenAt, mailsJson([message])]
      return (await pool.query(ADD_TOKEN, values)).rowCount === 1
    },
    async byToken(tokenHash) {
      const row = await queryRow(pool, BY_TOKEN, tokenHash)
      return row && { ...toRecoverable(row), owner: toPersonalDetails(row) }
    },
    resetByToken: (tokenHash, { passwordHash, verification }, records) =>
      inModelChange(async (change) => {
        const account = await lockByToken(change, tokenHash)
        if (!account) return undefined
        const { needsCode, phone } = account
        if (needsCode) {
          if (!verification || verification.phone !== phone?.e164) throw invalidData({ otp: ['otp_wrong'] })
          await useVerification(change.transaction, verification)
        }
        const by = needsCode ? 'unverifiedEmail' : 'email'
        const opened = await reset(change, account, { passwordHash, by }, records)
        return { ...account, opened }
      }),
    async resetByPhone({ passwordHash, verification, prefersEmail }, { auditContext, ...others }) {
      const records = { auditContext: { ...auditContext, subject: maskPhone(verification.phone) }, ...others }
      const done = inModelChange(async (change) => {
        const account = await lockByPhone(change, { phone: verification.phone, prefersEmail })
        await useVerification(change.transaction, verification)
        if (account) await reset(change, account, { passwordHash, by: 'phone' }, records)
        return account
      })
      return done.catch(undefinedIfPhoneTaken)
    },
    release: (tokenHash, auditContext) => inModelChange((change) => releaseAddress(change, tokenHash, auditContext)),
  }
}

const RELEASED: Assigned = {
  email: RELEASED_EMAIL,
  email_verified_at: 'NULL',
  email_recovers_from: 'NULL',
  email_changed_at: 'service_now()',
}

/**
 * Removes the unverified address of the account of a token. If it has just replaced another one, that one is restored. The token of a
 * verified address is only used.
 */
async function releaseAddress(
  change: ModelChange,
  tokenHash: Hash,
  auditContext: AuditContext,
): Promise<Released | undefined> {
  const { tx } = change
  const account = await lockByToken(change, tokenHash)
  if (!account) return undefined
  const { id: accountId, email, needsCode, hasFormer } = account
  if (!needsCode) {
    await tx.passwordReset.deleteMany({ where: { tokenHash } })
    return undefined
  }
  await revoke(change, accountId, { askedBy: null, assigned: hasFormer ? {} : RELEASED })
  await execute(change.transaction, FORGET_ADDRESS, accountId, email)
  const { email: placeholder } = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true },
  })
  const event = toAuditEvent('email_released', account, auditContext)
  await change.record(accountId, { auditEvents: [event], isUpdate: true })
  return { ...account, placeholder }
}

/** A code of the registrant does not bring a released address back. */
const FORGET_ADDRESS = `
  UPDATE email_tokens e SET email = ${RELEASED_EMAIL}, verified_at = NULL FROM accounts a
  WHERE a.id = $1 AND e.account_id = a.id AND e.purpose = 'undo_by_phone' AND e.email = $2`
