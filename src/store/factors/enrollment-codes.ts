// Codes that operators give to administrators, whose first second factor requires one. A stolen password adds no factor then.
import { LIMITS } from '../../../generated/limits.ts'
import { column, execute, query, queryRow, type Driver } from '../../database/sql.ts'
import type { Enrollment } from '../../domain/factors/required-factor.ts'
import { invalidData } from '../../domain/failure.ts'
import type { LockedOwnAccount } from '../accounts/lock-account.ts'
import type { Change, ModelChange } from '../changes.ts'
import { HAS_VOUCHED_FACTOR } from './state.ts'

const FAILURE = query<{ isNeeded: boolean; isRight: boolean }>(
  {
    isNeeded: column(`a.is_admin AND NOT ${HAS_VOUCHED_FACTOR.sql}`),
    isRight: column(`EXISTS (
      SELECT FROM enrollment_codes WHERE account_id = a.id AND code_hash = $2 AND expires_at > service_now())`),
  },
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $1`,
  'enrollment-code-failure',
)

/** Returns what is wrong with the code of a request before its other parts are verified. The lock decides again. */
export async function findEnrollmentFailure(
  driver: Driver,
  { accountId, codeHash }: Readonly<{ accountId: number; codeHash: Uint8Array | undefined }>,
): Promise<'required' | 'code_wrong' | undefined> {
  const found = await queryRow(driver, FAILURE, accountId, codeHash ?? null)
  if (!found?.isNeeded || found.isRight) return undefined
  return codeHash ? 'code_wrong' : 'required'
}

/**
 * Rejects the first factor of an administrator, also the first since the grant, without the code of the account, which is deleted then.
 * Returns whether there was one, with which the operator vouches for the factors.
 *
 * @param owner the account, which is locked
 * @throws Failure 422 on `enrollment_code`
 */
export async function requireEnrollmentCode(
  { tx, transaction }: ModelChange,
  { accountId, isAdmin, factorsSince, factorsVouched }: LockedOwnAccount,
  { administratorsNeedCode, codeHash }: Enrollment,
): Promise<boolean> {
  if (!administratorsNeedCode || !isAdmin || (factorsSince !== null && factorsVouched)) return false
  const failure = await findEnrollmentFailure(transaction, { accountId, codeHash })
  if (failure) throw invalidData({ enrollment_code: [failure] })
  await tx.account.update({ where: { id: accountId }, data: { factorsVouched: true }, select: { id: true } })
  await tx.enrollmentCode.deleteMany({ where: { accountId } })
  return true
}

const STORE = `
  INSERT INTO enrollment_codes (account_id, code_hash, expires_at)
  VALUES ($1, $2, service_now() + interval '${LIMITS.factors.enrollment_hours} hours')
  ON CONFLICT (account_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`

/** Stores a code in place of the previous one. */
export async function storeEnrollmentCode(
  { transaction }: Change,
  accountId: number,
  codeHash: Uint8Array,
): Promise<void> {
  await execute(transaction, STORE, accountId, codeHash)
}
