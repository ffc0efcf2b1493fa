// What becomes of the identifiers of the account `a`. `now` and `time` are expressions.
import { execute, queryRow, type Driver } from '../../database/query.ts'
import { invalidData } from '../../domain/failure.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import { useVerification } from '../phone-verifications.ts'
import {
  LOCK_BY_FORMER_PHONE,
  LOCK_BY_PHONE,
  LOCK_BY_TOKEN,
  RESTORE_PHONE,
  HOLD_PERIOD,
  type RecoverableRow,
  type Resettable,
  type ResettableByToken,
} from './sql.ts'
import type { Assigned } from '../../database/composed.ts'

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
  verification: PhoneVerification | undefined,
): Promise<void> {
  if (!verification || verification.phone !== phone?.e164) throw invalidData({ otp: ['otp_wrong'] })
  await useVerification(transaction, verification)
}

export function toRecoverable({ id, email, needsCode, phone, phoneCode }: RecoverableRow): RecoverableAccount {
  return { id, email, needsCode, phone: phone === null ? undefined : { e164: phone, callingCode: phoneCode } }
}

/**
 * Whether the number of the account `a` replaced another one and does not recover the account yet. Like a pending address, it
 * may be that of an attacker.
 */
export function isPendingPhone(now: string): string {
  return `a.phone_changed_at > ${now} - ${HOLD_PERIOD} AND a.phone_recovers_from > ${now}`
}

/** Sets a number unverified if it was verified at the time or later. */
export function unverifyPhoneSince(time: string): Assigned {
  const unless = (name: string): string => `CASE WHEN a.phone_verified_at >= ${time} THEN NULL ELSE a.${name} END`
  return { phone_verified_at: unless('phone_verified_at'), phone_recovers_from: unless('phone_recovers_from') }
}

/** The placeholder address of the account `a` that loses its own. A part is random, so it cannot be registered before. */
export const RELEASED_EMAIL = `'account-' || a.id || '-' || left(gen_random_uuid()::text, 8) || '@released.invalid'`

/** Removes the address of the account `a`. */
export function releaseEmail(now: string): Assigned {
  return { email: RELEASED_EMAIL, email_verified_at: 'NULL', email_recovers_from: 'NULL', email_changed_at: now }
}

/** Verifies the address of an account, which then recovers it at once. */
export function verifyEmail(now: string): Assigned {
  return { email_verified_at: now, email_recovers_from: now }
}

/** Suspends an identifier from recovery for the waiting period if a condition holds. */
export function suspendIf(identifier: 'email' | 'phone', condition: string, now: string): Assigned {
  const from = `a.${identifier}_recovers_from`
  const suspended = `CASE WHEN ${condition} THEN greatest(${from}, ${now} + ${HOLD_PERIOD}) ELSE ${from} END`
  return { [`${identifier}_recovers_from`]: `CASE WHEN ${from} IS NOT NULL THEN ${suspended} END` }
}
