import { column, outerTable, select } from '../../database/columns.ts'
import { insertion, overwrites, type Bind, type Part } from '../../database/composed.ts'
import { NOW, query, queryOnlyRow } from '../../database/query.ts'
import type { EmailCode } from '../../domain/emails/email-code.ts'
import type { Change } from '../changes.ts'

const c = outerTable('EmailCode', 'c')

/** If no code was sent, all columns except `now` are null. */
const READ_CODE = query(
  select({
    now: column<Date>(NOW),
    email: c.email,
    windowId: c.windowId,
    expiresAt: c.expiresAt,
    wrongTries: c.wrongTries,
    sentAt: c.sentAt,
  }),
  (list) => `SELECT ${list} FROM (VALUES (1)) AS one
    LEFT JOIN LATERAL (SELECT * FROM email_codes WHERE account_id = $2 FOR UPDATE) c ON true`,
  'read-email-code',
)

/** Returns the code of an account, and the current time of the service. */
export async function readCode(
  { transaction, shiftSeconds }: Change,
  accountId: number,
): Promise<{ code: EmailCode | undefined; nowMs: number }> {
  const row = await queryOnlyRow(transaction, READ_CODE, shiftSeconds, accountId)
  const nowMs = row.now.getTime()
  const { email, windowId, expiresAt, wrongTries, sentAt } = row
  if (email === null || expiresAt === null || wrongTries === null || sentAt === null) return { code: undefined, nowMs }
  const sentAtMs = sentAt.map((at) => at.getTime())
  return { code: { email, windowId, wrongTries, sentAtMs, expiresAtMs: expiresAt.getTime() }, nowMs }
}

/** Returns the part that stores the code of an account. */
export function writeCode(accountId: number, code: EmailCode, bind: Bind): Part {
  const { email, windowId, wrongTries } = code
  const sentAt = code.sentAtMs.map((ms) => new Date(ms).toISOString())
  const columns = { email, windowId, wrongTries, sentAt, expiresAt: new Date(code.expiresAtMs) }
  const { columns: names, values } = insertion({ accountId, ...columns }, bind)
  const sql = `
    INSERT INTO email_codes (${names}) VALUES (${values})
    ON CONFLICT (account_id) DO UPDATE SET ${overwrites(columns)}`
  return { name: 'code', sql }
}
