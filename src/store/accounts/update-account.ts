import type { Account } from '../../../generated/prisma/client.ts'
import { assigned, type Assigned, type Bind, type Part } from '../../database/composed.ts'

/** Returns the part of a change that updates the row of the account. */
export function updateAccount(fields: Partial<Omit<Account, 'id'>>, bind: Bind): Part {
  return setAccount(assigned(fields, bind))
}

/**
 * Like `updateAccount`, with values in SQL, which may depend on the row `a`.
 *
 * @param returning the columns that the part returns
 */
export function setAccount(values: Assigned, returning?: string): Part {
  const set = Object.entries(values).map(([column, value]) => `${column} = ${value}`)
  const sql = `UPDATE accounts a SET ${set.join(', ')} FROM target t WHERE a.id = t.account_id`
  return { name: 'account', sql: returning === undefined ? sql : `${sql} RETURNING ${returning}` }
}
