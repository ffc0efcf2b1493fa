import type { Bind } from '../../database/composed.ts'
import type { NewMail } from '../../domain/mail.ts'

/** The columns that a new e-mail gives a row, over the alias `m`. A waiting row is due at once. */
const COLUMNS: Readonly<Record<string, string>> = {
  topic: 'm.topic',
  payload: `decode(m.payload, 'base64')`,
  token_hash: `decode(m.token_hash, 'base64')`,
  counted_at: 'm.counted_at',
  expires_at: 'now() + make_interval(secs => m.life_seconds)',
}
const NAMES = Object.keys(COLUMNS).join(', ')
const VALUES = Object.values(COLUMNS).join(', ')

/**
 * Returns the statement that adds e-mails to the outbox, in the transaction of the change, so that both are stored or neither.
 *
 * @param traceParent the `traceparent` of the request; null if it is not traced
 */
export function mailInsert(mails: readonly NewMail[], traceParent: string | null, bind: Bind): string {
  return mailInsertFrom('(VALUES (1)) AS one', bind(mailsJson(mails, traceParent)))
}

/**
 * Returns the statement that adds e-mails to the outbox, for each row of `from`.
 *
 * @param json the parameter with the result of `mailsJson`
 * @param accountId the account of e-mails that name none, as an expression over `from`
 */
export function mailInsertFrom(from: string, json: string, accountId = 'NULL::int'): string {
  return `
    INSERT INTO mail_outbox (account_id, ${NAMES}, trace_parent, next_attempt_at)
    SELECT coalesce(m.account_id, ${accountId}), ${VALUES}, m.trace_parent, now() FROM ${from}, ${mailRecords(json)}`
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
    counted_at timestamptz, life_seconds float, trace_parent text)`
}

/**
 * Returns e-mails as a parameter of these statements.
 *
 * @param traceParent the `traceparent` of the request that adds them; null if it is not traced, or for a replacement
 */
export function mailsJson(mails: readonly NewMail[], traceParent: string | null = null): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  return JSON.stringify(
    mails.map(({ accountId, topic, sealed, lifeSeconds, tokenHash, countedAt }) => ({
      account_id: accountId ?? null,
      topic,
      payload: base64(sealed),
      token_hash: tokenHash ? base64(tokenHash) : null,
      counted_at: countedAt ?? null,
      life_seconds: lifeSeconds,
      trace_parent: traceParent,
    })),
  )
}
