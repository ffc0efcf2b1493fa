import type { QueuedMail as Row } from '../../../generated/prisma/client.ts'
import { column, narrowed, select, table } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { NOW } from '../../database/now.ts'
import { onceOnly } from '../../database/once-only.ts'
import { execute, query, queryOnlyRow, queryRows, type Driver } from '../../database/query.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DueMail, MailAttempt, MailBacklog, NewMail } from '../../domain/mail.ts'
import { MAIL_ASSIGNMENTS, mailRecords, mailsJson } from './rows.ts'

/** The e-mails that wait for the mail server. Changes add them with the statements of `rows.ts`, in their own transaction. */
export type Mails = {
  /** Leases due e-mails to this process and counts an attempt. Other processes skip them until the lease expires. */
  takeDue(limit: number): Promise<DueMail[]>
  /** Removes an e-mail that was sent, or that nothing can be sent for. */
  remove(attempt: MailAttempt): Promise<void>
  /** Schedules the next attempt. */
  retry(attempt: MailAttempt, failure: string, afterSeconds: number): Promise<void>
  /** Removes the content of an e-mail that will not be sent, and no longer counts it as a send of its account. */
  abandon(attempt: MailAttempt, failure: string): Promise<void>
  /** Releases an e-mail whose attempt was not made. The attempt does not count. */
  giveBack(attempt: MailAttempt): Promise<void>
  /** Returns how many e-mails wait, and how old the oldest is. */
  backlog(): Promise<MailBacklog>
}

/** Longer than an attempt lasts. If the process ends before, the e-mail is due again after this time. */
const LEASE_SECONDS = 120

const m = table('QueuedMail', 'm')

type Due = Omit<DueMail, 'sealed' | 'takenAt'> & { payload: Row['payload']; takenAt: Date }

const HAS_TOKEN = ['password_resets', 'email_tokens']
  .map((name) => `EXISTS (SELECT 1 FROM ${name} t WHERE t.token_hash = m.token_hash)`)
  .join(' OR ')

const seconds = (interval: string): string => `extract(epoch FROM ${interval})::float`

const TAKE = query(
  select<Due>({
    id: m.id,
    messageId: m.messageId,
    accountId: m.accountId,
    topic: m.topic,
    attempts: m.attempts,
    payload: m.payload,
    traceParent: m.traceParent,
    takenAt: narrowed<Date | null, Date>(m.lastAttemptAt), // set by this statement
    secondsLeft: column(seconds(`m.expires_at - ${NOW}`)),
    isObsolete: column(`(m.token_hash IS NOT NULL AND NOT (${HAS_TOKEN}))`),
  }),
  (list) => `
    UPDATE mail_outbox m SET attempts = attempts + 1, last_attempt_at = ${NOW}, last_failure = NULL,
      next_attempt_at = ${NOW} + interval '${LEASE_SECONDS} seconds'
    WHERE id = ANY (${onceOnly(
      `SELECT id FROM mail_outbox WHERE next_attempt_at <= ${NOW} ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    )})
    RETURNING ${list}`,
  'take-due-mails',
)

const SAME_ATTEMPT = 'WHERE id = $2 AND last_attempt_at = $3'

const REMOVE = 'DELETE FROM mail_outbox WHERE id = $1 AND last_attempt_at = $2'

const RETRY = `
  UPDATE mail_outbox SET last_failure = $4, next_attempt_at = ${NOW} + make_interval(secs => $5) ${SAME_ATTEMPT}`

const GIVE_BACK = `UPDATE mail_outbox SET attempts = attempts - 1, next_attempt_at = ${NOW} ${SAME_ATTEMPT}`

const ABANDON = `
  WITH abandoned AS (
    UPDATE mail_outbox SET next_attempt_at = NULL, payload = NULL, token_hash = NULL, last_failure = $3
    WHERE id = $1 AND last_attempt_at = $2 RETURNING account_id, counted_at)
  UPDATE email_codes c SET sent_at = array_remove(c.sent_at, a.counted_at)
  FROM abandoned a WHERE c.account_id = a.account_id AND a.counted_at IS NOT NULL`

const BACKLOG = query(
  select<MailBacklog>({
    waiting: column('count(*)::int'),
    oldestSeconds: column(`coalesce(${seconds(`${NOW} - min(created_at)`)}, 0)`),
  }),
  (list) => `SELECT ${list} FROM mail_outbox WHERE next_attempt_at IS NOT NULL`,
)

export function mails({ pool }: Database, clock: Clock): Mails {
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async takeDue(limit) {
      const rows = await queryRows(pool, TAKE, shift(), limit)
      return rows.map(({ payload, ...row }) => ({ ...row, sealed: payload ?? new Uint8Array() }))
    },
    async remove({ id, takenAt }) {
      await pool.query(REMOVE, [id, takenAt])
    },
    async retry({ id, takenAt }, failure, afterSeconds) {
      await pool.query(RETRY, [shift(), id, takenAt, failure, afterSeconds])
    },
    async abandon({ id, takenAt }, failure) {
      await pool.query(ABANDON, [id, takenAt, failure])
    },
    async giveBack({ id, takenAt }) {
      await pool.query(GIVE_BACK, [shift(), id, takenAt])
    },
    backlog: () => queryOnlyRow(pool, BACKLOG, shift()),
  }
}

const REPLACE = `
  UPDATE mail_outbox o SET ${MAIL_ASSIGNMENTS} FROM ${mailRecords('$3')} WHERE o.id = $1 AND o.last_attempt_at = $2`

/**
 * Replaces a request by the e-mail that was prepared for it. The attempt continues with that e-mail.
 *
 * @throws Error if another process has taken the request meanwhile, which rolls the transaction back
 */
export async function replaceMail(transaction: Driver, { id, takenAt }: MailAttempt, mail: NewMail): Promise<void> {
  const count = await execute(transaction, REPLACE, id, takenAt, mailsJson([mail]))
  if (count !== 1) throw new Error('another process has taken this e-mail')
}
