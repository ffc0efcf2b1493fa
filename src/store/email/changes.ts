import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { ContactChange, EmailWish } from '../../domain/contact.ts'
import { endVerification } from './tokens.ts'
import { NOW } from '../now.ts'
import { endRecovery, type HeldAccount } from '../own-account.ts'

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
 * Applies the e-mail address of an update: a verified address stays until the new one is confirmed, and any other one is
 * replaced at once. The address that is stored and the one that is pending change nothing.
 */
export async function changeEmail(
  transaction: Transaction,
  account: HeldAccount,
  { email, isConfirmable, cancelHash }: EmailWish,
  shiftSeconds: number,
): Promise<Outcome> {
  const { accountId: id, email: stored, pendingEmail, emailVerifiedAt } = account
  if (email === stored || email === pendingEmail) return 'unchanged'
  await endVerification(transaction, id)
  if (emailVerifiedAt && isConfirmable) {
    await transaction.account.update({ where: { id }, data: { pendingEmail: email }, select: { id: true } })
    await transaction.$executeRawUnsafe(ADD_CANCEL, shiftSeconds, cancelHash, id, stored, emailVerifiedAt)
    return 'pending'
  }
  await endRecovery(transaction, id)
  await transaction.emailToken.deleteMany({ where: { accountId: id, purpose: { in: ['cancel', 'consent'] } } })
  await transaction.$executeRawUnsafe(REPLACE, shiftSeconds, id, email)
  return 'replaced'
}
