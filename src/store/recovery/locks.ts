import { execute, queryRow, type Driver } from '../../database/query.ts'
import { invalidData } from '../../domain/failure.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import { useWindow } from '../phone-verifications.ts'
import {
  LOCK_BY_FORMER_PHONE,
  LOCK_BY_PHONE,
  LOCK_BY_TOKEN,
  RESTORE_PHONE,
  type RecoverableRow,
  type Resettable,
  type ResettableByToken,
} from './sql.ts'

type Hash = Uint8Array<ArrayBuffer>

/** Locks the account of a token, and the token. */
export async function lockByToken(
  transaction: Driver,
  tokenHash: Hash,
  shiftSeconds: number,
): Promise<(RecoverableAccount & ResettableByToken) | undefined> {
  const row = await queryRow(transaction, LOCK_BY_TOKEN, shiftSeconds, tokenHash)
  return row && { ...row, ...toRecoverable(row) }
}

/** Locks the account that a number recovers, and restores the number if the account had it before. */
export async function lockByPhone(
  transaction: Driver,
  { phone, prefersEmail }: { phone: string; prefersEmail: boolean },
  shiftSeconds: number,
): Promise<Resettable | undefined> {
  const own = await queryRow(transaction, LOCK_BY_PHONE, shiftSeconds, phone, prefersEmail)
  if (own) return own
  const former = await queryRow(transaction, LOCK_BY_FORMER_PHONE, shiftSeconds, phone, prefersEmail)
  const restored = former && (await execute(transaction, RESTORE_PHONE, shiftSeconds, former.id, phone))
  return restored === 1 ? former : undefined
}

/**
 * Uses the code that an unverified address requires.
 *
 * @throws Failure 422 on `otp`
 */
export async function useCode(
  transaction: Driver,
  { phone }: RecoverableAccount,
  window: PhoneVerification | undefined,
): Promise<void> {
  if (!window || window.phone !== phone?.e164) throw invalidData({ otp: ['otp_wrong'] })
  await useWindow(transaction, window)
}

export function toRecoverable({ id, email, needsCode, phone, phoneCode }: RecoverableRow): RecoverableAccount {
  return { id, email, needsCode, phone: phone === null ? undefined : { e164: phone, callingCode: phoneCode } }
}
