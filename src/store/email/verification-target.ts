import type { Driver } from '../../database/query.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { findAccountForUpdate, isEmailProven } from '../accounts/find-account.ts'
import { lockAccountForUpdate, type LockedAccount } from '../accounts/lock-account.ts'

/** The address of an account that has to be verified */
export type VerificationTarget = Readonly<{ accountId: number; email: string; isPending: boolean }>

/** Locks an account, and returns its address that has to be verified, if any. */
export async function findTarget(
  transaction: Driver,
  whose: Bearer | { accountId: number; email: string },
  shiftSeconds: number,
): Promise<VerificationTarget | undefined> {
  const isBearer = 'sessionId' in whose
  const account: LockedAccount | undefined = isBearer
    ? await lockAccountForUpdate(transaction, whose)
    : await findAccountForUpdate(transaction, whose.accountId, shiftSeconds)
  if (!account) return undefined
  const { accountId, pendingEmail } = account
  const email = pendingEmail ?? (isEmailProven(account) ? undefined : account.email)
  if (email === undefined || (!isBearer && email !== whose.email)) return undefined
  return { accountId, email, isPending: pendingEmail !== null }
}
