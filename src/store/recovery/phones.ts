import { execute, type Driver } from '../../database/query.ts'
import { CHANGE_PHONE } from './sql.ts'

type NewPhone = Readonly<{ e164: string; code: string; isVerified: boolean }>

/**
 * Stores the number of an account that the transaction has locked. It may be the stored number, to verify it.
 *
 * @param shiftSeconds number of seconds that the clock of the service is ahead of the database
 */
export async function changePhone(
  transaction: Driver,
  accountId: number,
  { e164, code, isVerified }: NewPhone,
  shiftSeconds: number,
): Promise<void> {
  await execute(transaction, CHANGE_PHONE, shiftSeconds, accountId, e164, code, isVerified)
}
