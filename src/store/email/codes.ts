import { column, outerTable, pick, query, queryOnlyRow } from '../../database/sql.ts'
import type { EmailCode } from '../../domain/emails/email-code.ts'
import type { Change, ModelChange } from '../changes.ts'

const c = outerTable('EmailCode', 'c')

/** If no code was sent, all columns except `now` are null. */
const READ_CODE = query(
  { now: column<Date>('service_now()'), ...pick(c, 'email', 'windowId', 'expiresAt', 'wrongTries', 'sentAt') },
  (list) => `SELECT ${list} FROM (VALUES (1)) AS one
    LEFT JOIN LATERAL (SELECT * FROM email_codes WHERE account_id = $1 FOR UPDATE) c ON true`,
  'read-email-code',
)

/** Returns the code of an account, and the current time of the service. */
export async function readCode(
  { transaction }: Change,
  accountId: number,
): Promise<{ code: EmailCode | undefined; nowMs: number }> {
  const row = await queryOnlyRow(transaction, READ_CODE, accountId)
  const nowMs = row.now.getTime()
  const { email, windowId, expiresAt, wrongTries, sentAt } = row
  if (email === null || expiresAt === null || wrongTries === null || sentAt === null) return { code: undefined, nowMs }
  const sentAtMs = sentAt.map((at) => at.getTime())
  return { code: { email, windowId, wrongTries, sentAtMs, expiresAtMs: expiresAt.getTime() }, nowMs }
}

/** Stores the code of an account in place of the previous one. */
export async function storeCode({ tx }: ModelChange, accountId: number, code: EmailCode): Promise<void> {
  const { email, windowId, wrongTries } = code
  const sentAt = code.sentAtMs.map((ms) => new Date(ms))
  const columns = { email, windowId, wrongTries, sentAt, expiresAt: new Date(code.expiresAtMs) }
  await tx.emailCode.upsert({
    where: { accountId },
    create: { accountId, ...columns },
    update: columns,
    select: { accountId: true },
  })
}

/** Invalidates the code that was sent to verify an address of an account. */
export async function invalidateEmailCode({ tx }: ModelChange, accountId: number): Promise<void> {
  await tx.emailCode.updateMany({ where: { accountId }, data: { windowId: null } })
}
