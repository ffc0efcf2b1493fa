import type { EmailCode as EmailCodeRow, Prisma } from '../../../generated/prisma/client.ts'
import { column, outerTable, select } from '../../database/columns.ts'
import { NOW } from '../../database/now.ts'
import { query, queryOnlyRow } from '../../database/query.ts'
import type { EmailCode } from '../../domain/emails/email-code.ts'

type Transaction = Prisma.TransactionClient

const c = outerTable('EmailCode', 'c')

/** If no code was sent, all columns except `now` are null. */
type CodeRow = { now: Date } & {
  [Field in 'email' | 'windowId' | 'expiresAt' | 'wrongTries' | 'sentAt']: EmailCodeRow[Field] | null
}

const READ_CODE = query(
  select<CodeRow>({
    now: column(NOW),
    email: c.email,
    windowId: c.windowId,
    expiresAt: c.expiresAt,
    wrongTries: c.wrongTries,
    sentAt: c.sentAt,
  }),
  (list) => `SELECT ${list} FROM (VALUES (1)) AS one LEFT JOIN email_codes c ON c.account_id = $2`,
)

/** Returns the code of an account, and the current time of the service. */
export async function readCode(
  transaction: Transaction,
  accountId: number,
  shiftSeconds: number,
): Promise<{ code: EmailCode | undefined; nowMs: number }> {
  const row = await queryOnlyRow(transaction, READ_CODE, shiftSeconds, accountId)
  const nowMs = row.now.getTime()
  const { email, windowId, expiresAt, wrongTries, sentAt } = row
  if (email === null || expiresAt === null || wrongTries === null || sentAt === null) return { code: undefined, nowMs }
  const sentAtMs = sentAt.map((at) => at.getTime())
  return { code: { email, windowId, wrongTries, sentAtMs, expiresAtMs: expiresAt.getTime() }, nowMs }
}

export async function writeCode(transaction: Transaction, accountId: number, code: EmailCode): Promise<void> {
  const { email, windowId, wrongTries } = code
  const sentAt = code.sentAtMs.map((ms) => new Date(ms))
  const columns = { email, windowId, wrongTries, sentAt, expiresAt: new Date(code.expiresAtMs) }
  await transaction.emailCode.upsert({ where: { accountId }, create: { accountId, ...columns }, update: columns })
}
