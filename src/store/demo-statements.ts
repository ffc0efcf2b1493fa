// The statements that every start runs for the demo accounts. Prisma would load its query compiler for them.
import { column, select, table } from '../database/columns.ts'
import { query } from '../database/query.ts'

const demo = table('Account', 'a')

/** Whether an account of some e-mail addresses has a password hash */
export const UNCHANGED = query(
  select<{ isPresent: boolean }>({
    isPresent: column('EXISTS (SELECT FROM accounts WHERE email = ANY($1) AND password_hash = $2)'),
  }),
  (list) => `SELECT ${list}`,
)
/** The accounts of some e-mail addresses */
export const PRESENT = query(
  select<{ email: string }>({ email: demo.email }),
  (list) => `SELECT ${list} FROM accounts a WHERE a.email = ANY($1)`,
)
/** The account of an e-mail address and a password hash, if it has no files */
export const LAWYER_WITHOUT_FILES = query(
  select<{ id: number }>({ id: demo.id }),
  (list) => `
    SELECT ${list} FROM accounts a
    WHERE a.email = $1 AND a.password_hash = $2 AND NOT EXISTS (SELECT FROM files f WHERE f.account_id = a.id)`,
)
