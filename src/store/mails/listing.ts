import { column, pick, query, queryOnlyRow, queryRows, table, type Query } from '../../database/sql.ts'
import type { StoreParts } from '../changes.ts'

/** An e-mail in the outbox, without its recipient and text */
export type ListedMail = Readonly<{
  messageId: string
  /** Null if the account is looked up later */
  accountId: number | null
  topic: string
  createdAt: Date
  attempts: number
  /** Why the last attempt failed; null if none has */
  lastFailure: string | null
  /** When it is tried again; null if it will not be */
  nextAttemptAt: Date | null
}>

/** The e-mails of the outbox, for operators. */
export type MailListing = {
  /** Lists the newest e-mails that wait, or those that will not be sent. */
  list(which: 'waiting' | 'failed', limit: number): Promise<ListedMail[]>
  /** Makes the e-mails that wait after a failure due now. Returns their number. Attempts that are running are left. */
  retryNow(): Promise<number>
}

const m = table('QueuedMail', 'm')

const listing = (where: string): Query<ListedMail> =>
  query<ListedMail>(
    pick(m, 'messageId', 'accountId', 'topic', 'createdAt', 'attempts', 'lastFailure', 'nextAttemptAt'),
    (list) => `SELECT ${list} FROM mail_outbox m WHERE ${where} ORDER BY id DESC LIMIT $1`,
  )

const LISTS = { waiting: listing('next_attempt_at IS NOT NULL'), failed: listing('next_attempt_at IS NULL') }

/** An attempt that is running has no failure. */
const RETRY = query<{ count: number }>(
  { count: column('count(*)::int') },
  (list) => `
    WITH due AS (
      UPDATE mail_outbox SET next_attempt_at = service_now()
      WHERE next_attempt_at > service_now() AND last_failure IS NOT NULL RETURNING 1)
    SELECT ${list} FROM due`,
)

export function mailListing({ pool }: StoreParts): MailListing {
  return {
    list: (which, limit) => queryRows(pool, LISTS[which], limit),
    retryNow: async () => (await queryOnlyRow(pool, RETRY)).count,
  }
}
