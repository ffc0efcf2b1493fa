import type { Prisma } from '../../../generated/prisma/client.ts'
import { endRecovery, endSessions } from '../own-account.ts'

/** The account and its e-mail address */
export type Recovered = Readonly<{ id: number; email: string }>

/**
 * Sets the password of an account that the transaction holds, and ends everything that was begun with another one.
 *
 * @param sql RESET_BY_EMAIL or RESET_BY_PHONE, which suspend what was proven later
 */
export async function reset(
  transaction: Prisma.TransactionClient,
  { id, email }: Recovered,
  sql: string,
  hash: string,
): Promise<Recovered> {
  await transaction.$executeRawUnsafe(sql, id, hash)
  await endSessions(transaction, id)
  await endRecovery(transaction, id)
  await transaction.formerPhone.deleteMany({ where: { accountId: id } })
  return { id, email }
}
