// The limit of notices about one account to one address: those beyond it wait, and are sent as a digest when the hour ends.
import { LIMITS } from '../../../generated/limits.ts'

const PER_HOUR = LIMITS.email.notices_per_hour
const WINDOW = `interval '1 hour'`

/** Whether the window `w` is open when notices are added. */
const IS_OPEN = `excluded.started_at < w.started_at + ${WINDOW}`
/** Whether the window `w` ended within the last hour, and had a digest. */
const HAD_DIGEST = `w.notices > ${PER_HOUR} AND excluded.started_at < w.started_at + 2 * ${WINDOW}`

/**
 * Returns the statement that counts new notices in the windows of their recipients. Of concurrent changes, the second one
 * waits for the row of the first. A window that follows one with a digest starts with no notices left, so that a flood of
 * hours gets one digest an hour.
 *
 * @param from the notices, as `m`
 */
export function countNotices(from: string): string {
  return `
    INSERT INTO notice_windows AS w (account_id, recipient, started_at, notices)
    SELECT m.account_id, m.recipient, service_now(), count(*)::int
    FROM ${from} WHERE m.recipient IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2
    ON CONFLICT (account_id, recipient) DO UPDATE SET
      started_at = CASE WHEN ${IS_OPEN} THEN w.started_at ELSE excluded.started_at END,
      notices = excluded.notices + CASE WHEN ${IS_OPEN} THEN w.notices WHEN ${HAD_DIGEST} THEN ${PER_HOUR} ELSE 0 END
    RETURNING account_id, recipient, started_at, notices`
}

/** Whether a new row waits: the windows have counted the notices of the statement, of which `m` is number `m.nth` of `m.total`. */
const IS_HELD = `coalesce(w.notices - m.total + m.nth > ${PER_HOUR}, false)`

/** The columns of a new row that depend on its window `w` */
export const HELD_COLUMNS = {
  digest_for: `CASE WHEN ${IS_HELD} THEN m.recipient END`,
  next_attempt_at: `CASE WHEN ${IS_HELD} THEN w.started_at + ${WINDOW} ELSE service_now() END`,
}

/** Returns the notices of a statement with their numbers among those of the same recipient. */
export function numbered(records: string): string {
  const recipient = 'PARTITION BY account_id, recipient'
  return `
    (SELECT *, count(*) OVER (${recipient}) AS total, row_number() OVER (${recipient}) AS nth FROM ${records}) AS m`
}
