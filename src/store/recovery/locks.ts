import { execute, queryRow, type Driver } from '../../database/query.ts'
import { invalidData } from '../../domain/failure.ts'
import type { PhoneVerification } from '../../domain/phones/code-window.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import { useWindow } from '../phone-verifications.ts'
import {
  LOCK_BY_FORMER_PHONE,
  LOCK_BY_PHONE,
  LOCK_BY_TOKEN,
  RESTORE_PHONE,
  VERIFY_EMAIL,
  type RecoverableRow,
  type Recovered,
} from './sql.ts'

type Hash = Uint8Array<ArrayBuffer>

/** Locks the account of a token, and the token. */
export async function lockByToken(
  transaction: Driver,
  tokenHash: Hash,
  shiftSeconds: number,
): Promise<RecoverableAccount | undefined> {
  const row = await queryRow(transaction, LOCK_BY_TOKEN, shiftSeconds, tokenHash)
  return row && toRecoverable(row)
}

/** Locks the account that a number recovers, and restores the number if the account had it before. */
export async function lockByPhone(
  transaction: Driver,
  phone: string,
  shiftSeconds: number,
): Promise<Recovered | undefined> {
  const own = await queryRow(transaction, LOCK_BY_PHONE, shiftSeconds, phone)
  if (own) return own
  const former = await queryRow(transaction, LOCK_BY_FORMER_PHONE, shiftSeconds, phone)
  const restored = former && (await execute(transaction, RESTORE_PHONE, shiftSeconds, former.id, phone))
  return restored === 1 ? former : undefined
}

/**
 * Uses the code that an unverified address requires, and verifies the address.
 *
 * @throws Failure 422 on `otp`
 */
export async function verifyByCode(
  transaction: Driver,
  { id, phone }: RecoverableAccount,
  window: PhoneVerification | undefined,
  shiftSeconds: number,
): Promise<void> {
  if (!window || window.phone !== phone?.e164) throw invalidData({ otp: ['otp_wrong'] })
  await useWindow(transaction, window)
  await execute(transaction, VERIFY_EMAIL, shiftSeconds, id)
}

export function toRecoverable({ id, email, needsCode, phone, phoneCode }: RecoverableRow): RecoverableAccount {
  return { id, email, needsCode, phone: phone === null ? undefined : { e164: phone, callingCode: phoneCode } }
}
