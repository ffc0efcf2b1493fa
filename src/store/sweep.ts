import { LIMITS } from '../../generated/limits.ts'
import type { Database } from './database.ts'
import { onceOnly } from './once-only.ts'

const ROWS_AT_ONCE = 1000

/** Which rows nobody needs any more, by table. Sends and wrong tries of a number count for a day. */
const OUTDATED = {
  phone_verifications: { key: 'phone', where: `expires_at < now() - interval '1 day'` },
  password_resets: { key: 'token_hash', where: 'expires_at < now()' },
  former_phones: { key: 'phone', where: 'recovers_until < now()' },
  events: { key: 'id', where: `at < now() - interval '${LIMITS.events.keep_days} days'` },
  sessions: { key: 'id', where: `created_at < now() - interval '${LIMITS.refresh_token.session_days} days'` },
}

/**
 * Deletes what nobody needs any more, a few rows at a time, so that no request waits for it.
 *
 * @param auditDays how long audit events are kept
 */
export async function sweep({ pool }: Database, auditDays: number): Promise<void> {
  const auditEvents = { key: 'id', where: `at < now() - interval '${auditDays} days'` }
  for (const [table, { key, where }] of Object.entries({ ...OUTDATED, audit_events: auditEvents })) {
    const text = `DELETE FROM ${table} WHERE ${key} = ANY (${onceOnly(`SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${ROWS_AT_ONCE}`)})`
    let deleted = ROWS_AT_ONCE
    while (deleted === ROWS_AT_ONCE) deleted = (await pool.query(text)).rowCount ?? 0
  }
}
