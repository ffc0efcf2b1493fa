import type { Bind, Part } from '../../database/composed.ts'
import type { NewMail } from '../../domain/mail.ts'
import { LIMITS } from '../../../generated/limits.ts'

/** The columns that a new e-mail gives a row, over the alias `m`. */
const COLUMNS: Readonly<Record<string, string>> = {
  topic: 'm.topic',
  payload: `decode(m.payload, 'base64')`,
  token_hash: `decode(m.token_hash, 'base64')`,
  counted_at: 'm.counted_at',
  expires_at: 'service_now() + make_interval(secs => m.life_seconds)',
}
const NAMES = Object.keys(COLUMNS).join(', ')
const VALUES = Object.values(COLUMNS).join(', ')

/**
 * Returns the parts that add e-mails to the outbox, in the transaction of the change, so that both are stored or neither.
 * Notices beyond the limit of their recipient wait for a digest.
 *
 * @param from nothing is added if it has no row
 * @param traceParent the `traceparent` of the request; null if it is not traced
 */
export function mailParts(from: string, mails: readonly NewMail[], traceParent: string | null, bind: Bind): Part[] {
  if (mails.length === 0) return []
  const json = bind(mailsJson(mails, traceParent))
  if (!mails.some(({ recipient }) => recipient)) return [{ name: 'mails', sql: mailInsertFrom(from, json) }]
  const inserted = `
    INSERT INTO mail_outbox (account_id, ${NAMES}, trace_parent, digest_for, next_attempt_at)
    SELECT m.account_id, ${VALUES}, m.trace_parent, CASE WHEN ${IS_HELD} THEN m.recipient END,
      CASE WHEN ${IS_HELD} THEN w.started_at + ${WINDOW} ELSE service_now() END
    FROM ${from} CROSS JOIN ${numbered(mailRecords(json))}
    LEFT JOIN windows w ON w.account_id = m.account_id AND w.recipient = m.recipient`
  return [
    { name: 'windows', sql: countNotices(`${from}, ${mailRecords(json)}`) },
    { name: 'mails', sql: inserted },
  ]
}

/**
 * Returns the statement that adds e-mails without a limit per recipient to the outbox, for each row of `from`.
 *
 * @param json the parameter with the result of `mailsJson`
 * @param accountId the account of e-mails that name none, as an expression over `from`
 */
export function mailInsertFrom(from: string, json: string, accountId = 'NULL::int'): string {
  return `
    INSERT INTO mail_outbox (account_id, ${NAMES}, trace_parent, next_attempt_at)
    SELECT coalesce(m.account_id, ${accountId}), ${VALUES}, m.trace_parent, service_now() + make_interval(secs => m.delay_seconds)
    FROM ${from}, ${mailRecords(json)}`
}

/**
 * Returns the assignments that replace a row by another e-mail, which is then ready to be sent in the same attempt.
 * The row keeps the trace of the request that added it. The statement must select from `mailRecords`.
 */
export const MAIL_ASSIGNMENTS = [
  'account_id = m.account_id',
  ...Object.entries(COLUMNS).map(([name, sql]) => `${name} = ${sql}`),
].join(', ')

export function mailRecords(json: string): string {
  return `jsonb_to_recordset(${json}::jsonb) AS m(account_id int, topic text, payload text, token_hash text,
    counted_at timestamptz, life_seconds float, delay_seconds float, trace_parent text, recipient text)`
}

/**
 * Returns e-mails as a parameter of these statements.
 *
 * @param traceParent the `traceparent` of the request that adds them; null if it is not traced, or for a replacement
 */
export function mailsJson(mails: readonly NewMail[], traceParent: string | null = null): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  return JSON.stringify(
    mails.map(({ accountId, topic, sealed, lifeSeconds, delaySeconds = 0, tokenHash, countedAt, recipient }) => ({
      account_id: accountId ?? null,
      topic,
      payload: base64(sealed),
      token_hash: tokenHash ? base64(tokenHash) : null,
      counted_at: countedAt ?? null,
      life_seconds: lifeSeconds,
      delay_seconds: delaySeconds,
      trace_parent: traceParent,
      recipient: recipient ?? null,
    })),
  )
}

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
function countNotices(from: string): string {
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

/** Returns the notices of a statement with their numbers among those of the same recipient. */
function numbered(records: string): string {
  const recipient = 'PARTITION BY account_id, recipient'
  return `
    (SELECT *, count(*) OVER (${recipient}) AS total, row_number() OVER (${recipient}) AS nth FROM ${records}) AS m`
}
