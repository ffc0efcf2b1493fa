import type { Driver } from '../../database/query.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { findAccountForUpdate, isEmailProven } from '../accounts/find-account.ts'
import { lockAccountForUpdate, type LockedAccount } from '../accounts/lock-account.ts'

/** The address of an account that has to be verified */
export type VerificationTarget = Readonly<{ accountId: number; email: string; isPending: boolean }>

/** The caller, or an account, and the address to verify; undefined means the current one */
export type Verifying = (Bearer | Readonly<{ accountId: number }>) & Readonly<{ email: string | undefined }>

/**
 * Locks an account, and returns its address that has to be verified, if any. The pending address must be named: it may be that
 * of an attacker, who would get another message whenever the owner verifies the current one.
 */
export async function findTarget(
  transaction: Driver,
  whose: Verifying,
  shiftSeconds: number,
): Promise<VerificationTarget | undefined> {
  const account: LockedAccount | undefined =
    'sessionId' in whose
      ? await lockAccountForUpdate(transaction, whose)
      : await findAccountForUpdate(transaction, whose.accountId, shiftSeconds)
  if (!account) return undefined
  const { accountId, pendingEmail } = account
  const { email = account.email } = whose
  if (email === pendingEmail) return { accountId, email, isPending: true }
  return email === account.email && !isEmailProven(account) ? { accountId, email, isPending: false } : undefined
}
