import { execute, type Driver } from '../../database/sql.ts'
import type { DueMail, MailAttempt, NewMail } from '../../domain/mail.ts'
import { leaseRenewal } from '../leases.ts'
import { MAIL_ASSIGNMENTS, mailRecords, mailsJson } from './rows.ts'
import { takeDue } from './take.ts'
import type { StoreParts } from '../changes.ts'

/** The e-mails that wait for the mail server. Changes add them with the statements of `rows.ts`, in their own transaction. */
export type Mails = {
  /**
   * Leases due e-mails to this process and counts an attempt. Other processes skip them until the lease expires. The notices
   * of a digest are one e-mail.
   */
  takeDue(limit: number): Promise<DueMail[]>
  /** Renews the leases of attempts that are running. */
  renewLeases(attempts: readonly MailAttempt[]): Promise<void>
  /** Removes an e-mail that was sent, or that nothing can be sent for. */
  remove(attempt: MailAttempt): Promise<void>
  /** Schedules the next attempt. */
  retry(attempt: MailAttempt, failure: string, afterSeconds: number): Promise<void>
  /** Removes the content of an e-mail that will not be sent, and no longer counts it as a send of its account. */
  abandon(attempt: MailAttempt, failure: string): Promise<void>
  /** Releases an e-mail whose attempt was not made. The attempt does not count. */
  giveBack(attempt: MailAttempt): Promise<void>
}

const SAME_ATTEMPT = 'WHERE id = ANY ($1::bigint[]) AND last_attempt_at = $2'

const REMOVE = `DELETE FROM mail_outbox ${SAME_ATTEMPT}`

const RETRY = `
  UPDATE mail_outbox SET last_failure = $3, next_attempt_at = service_now() + make_interval(secs => $4) ${SAME_ATTEMPT}`

const GIVE_BACK = `UPDATE mail_outbox SET attempts = attempts - 1, next_attempt_at = service_now() ${SAME_ATTEMPT}`

const ABANDON = `
  WITH abandoned AS (
    UPDATE mail_outbox
    SET next_attempt_at = NULL, payload = NULL, token_hash = NULL, digest_for = NULL, last_failure = $3
    ${SAME_ATTEMPT} RETURNING account_id, counted_at)
  UPDATE email_codes c SET sent_at = array_remove(c.sent_at, a.counted_at)
  FROM abandoned a WHERE c.account_id = a.account_id AND a.counted_at IS NOT NULL`

/** Returns the ids of an attempt. The rows of a digest are sent, retried and removed together. */
function idsOf({ id, others = [] }: MailAttempt): bigint[] {
  return [id, ...others.map((other) => other.id)]
}

export function mails({ pool }: StoreParts): Mails {
  const renewLeases = leaseRenewal(pool, 'mail_outbox')
  const end = async (text: string, attempt: MailAttempt, ...values: unknown[]): Promise<void> => {
    await execute(pool, text, idsOf(attempt), attempt.takenAt, ...values)
  }
  return {
    takeDue: (limit) => takeDue(pool, limit),
    renewLeases: (attempts) =>
      renewLeases(attempts.flatMap((each) => idsOf(each).map((id) => ({ id, takenAt: each.takenAt })))),
    remove: (attempt) => end(REMOVE, attempt),
    retry: (attempt, failure, afterSeconds) => end(RETRY, attempt, failure, afterSeconds),
    abandon: (attempt, failure) => end(ABANDON, attempt, failure),
    giveBack: (attempt) => end(GIVE_BACK, attempt),
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
