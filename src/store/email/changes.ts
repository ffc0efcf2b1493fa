import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { ContactChange, RequestedEmail } from '../../domain/accounts/contact.ts'
import { invalidateVerification } from './tokens.ts'
import { NOW } from '../../database/now.ts'
import { type LockedOwnAccount } from '../accounts/lock-account.ts'
import { invalidateRecovery } from '../accounts/revocations.ts'

type Transaction = Prisma.TransactionClient
type Outcome = ContactChange['email']['outcome']

const REPLACE = `
  UPDATE accounts SET email = $3, email_verified_at = NULL, email_recovers_from = NULL, email_changed_at = ${NOW},
    pending_email = NULL
  WHERE id = $2`
const ADD_CANCEL = `
  INSERT INTO email_tokens (token_hash, account_id, purpose, email, verified_at, expires_at)
  VALUES ($2, $3, 'cancel', $4, $5, ${NOW} + interval '${LIMITS.email.undo_days} days')`

/**
 * Applies the e-mail address of an update. A verified address is replaced when the new one is confirmed, and an
 * unverified one immediately. The stored and the pending address change nothing.
 */
export async function changeEmail(
  transaction: Transaction,
  account: LockedOwnAccount,
  { email, isConfirmable, cancelHash }: RequestedEmail,
  shiftSeconds: number,
): Promise<Outcome> {
  const { accountId: id, email: stored, pendingEmail, emailVerifiedAt } = account
  if (email === stored || email === pendingEmail) return 'unchanged'
  await invalidateVerification(transaction, id)
  if (emailVerifiedAt && isConfirmable) {
    await transaction.account.update({ where: { id }, data: { pendingEmail: email }, select: { id: true } })
    await transaction.$executeRawUnsafe(ADD_CANCEL, shiftSeconds, cancelHash, id, stored, emailVerifiedAt)
    return 'pending'
  }
  await invalidateRecovery(transaction, id)
  await transaction.emailToken.deleteMany({ where: { accountId: id, purpose: { in: ['cancel', 'consent'] } } })
  await transaction.$executeRawUnsafe(REPLACE, shiftSeconds, id, email)
  return 'replaced'
}
