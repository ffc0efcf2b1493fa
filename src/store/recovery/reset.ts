import type { Recovered } from './sql.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import { invalidateRecovery, revokeSessions } from '../accounts/revocations.ts'

/**
 * Sets the password of an account that the transaction has locked. Revokes all sessions and invalidates all other
 * tokens, codes and former numbers that can recover the account.
 *
 * @param sql RESET_BY_EMAIL or RESET_BY_PHONE, which also suspend an identifier that was verified later
 */
export async function reset(
  transaction: Prisma.TransactionClient,
  { id, email }: Recovered,
  sql: string,
  hash: string,
): Promise<Recovered> {
  await transaction.$executeRawUnsafe(sql, id, hash)
  await revokeSessions(transaction, id)
  await invalidateRecovery(transaction, id)
  await transaction.formerPhone.deleteMany({ where: { accountId: id } })
  return { id, email }
}
