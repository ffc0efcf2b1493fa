import type { Account } from '../../../generated/prisma/client.ts'
import { assignments, type Bind, type Part } from '../../database/composed.ts'

/** Returns the part of a change that updates the row of the account. */
export function updateAccount(fields: Partial<Omit<Account, 'id'>>, bind: Bind): Part {
  return setAccount(assignments('a', fields, bind).set)
}

/** Like `updateAccount`, with assignments in SQL, for values that depend on the row `a`. */
export function setAccount(assigned: string): Part {
  return { name: 'account', sql: `UPDATE accounts a SET ${assigned} FROM target t WHERE a.id = t.account_id` }
}
