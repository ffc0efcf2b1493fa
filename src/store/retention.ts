import type pg from 'pg'
import { LIMITS } from '../../generated/limits.ts'
import type { Database } from '../database/index.ts'
import type { Log } from '../lib/log.ts'
import { DELETE_ENDED } from './factors/state.ts'
import { FORGET_FORMER_EMAILS } from './recovery/identifiers.ts'

const ROWS_AT_ONCE = 1000
/** More than the life of any e-mail. Failed ones remain that long for operators, without their content. */
const MAIL_ROW_DAYS = 7

/**
 * A row is expired if its `time`, which has an index, is longer ago than `age`, and the further condition `also` holds. The time is
 * `now()`, which the triggers and partitions of the audit trail use too, and not that of the service.
 */
type Expired = Readonly<{ key: string; time: string; age?: string; also?: string }>

/** The expired rows by table. Sends and wrong tries of a number count for a day, even if its code has expired. */
const EXPIRED: Readonly<Record<string, Expired>> = {
  phone_verifications: {
    key: 'phone',
    time: 'expires_at',
    age: '1 day',
    also: `coalesce(wrong_at[cardinality(wrong_at)] < now() - interval '1 day', true)`,
  },
  email_tokens: { key: 'token_hash', time: 'expires_at' },
  used_challenges: { key: 'challenge_hash', time: 'expires_at' },
  password_resets: { key: 'token_hash', time: 'expires_at' },
  enrollment_codes: { key: 'account_id', time: 'expires_at' },
  former_phones: { key: 'phone', time: 'recovers_until' },
  mail_outbox: { key: 'id', time: 'created_at', age: `${MAIL_ROW_DAYS} days` },
  // a window can follow another one for an hour
  notice_windows: { key: '(account_id, recipient)', time: 'started_at', age: '1 day' },
  idempotency_keys: { key: 'id', time: 'created_at', age: `${LIMITS.idempotency.hours} hours` },
  instances: { key: 'id', time: 'seen_at', age: '7 days' },
  events: { key: 'id', time: 'at', age: `${LIMITS.events.keep_days} days` },
  sms_messages: { key: 'id', time: 'created_at', age: `${LIMITS.sms.message_days} days` },
  sessions: { key: 'id', time: 'created_at', age: `${LIMITS.refresh_token.session_days} days` },
}

/**
 * Deletes expired rows in small batches, so that no request waits for it, and months of the audit trail as a whole. Then
 * frees their space, if the database does not do so by itself.
 *
 * @param auditDays the retention of audit events in days
 */
export async function deleteExpired({ pool, vacuum }: Database, auditDays: number, log: Log): Promise<void> {
  const deleteBatches = async (text: string): Promise<void> => {
    let deleted = ROWS_AT_ONCE
    while (deleted === ROWS_AT_ONCE) deleted = (await pool.query(text)).rowCount ?? 0
  }
  for (const [table, expired] of Object.entries(EXPIRED)) await deleteBatches(deletion(table, expired))
  for (const statement of [FORGET_FORMER_EMAILS, DELETE_ENDED]) await pool.query(statement)
  const { rows: ranges } = await pool.query<AuditRange>(LONG_RANGES)
  for (const range of ranges) await deleteBatches(retention(auditDays, range))
  const dropped = await dropAuditPartitions(pool, auditDays)
  if (dropped.length > 0) log.info({ partitions: dropped }, 'audit_partitions_dropped')
  const added = await extendAuditPartitions(pool)
  if (added !== undefined) log.info({ partition: added }, 'audit_partition_added')
  await vacuum?.()
}

/** The bounds of a partition, as PostgreSQL writes them. The first begins at `-infinity`, the last ends at `infinity`. */
type AuditRange = Readonly<{ from: string; to: string }>

/** The partitions that are not dropped by month: the first one, the last one, and those of several months */
const LONG_RANGES = `SELECT from_at::text AS from, to_at::text AS to FROM audit_partitions()
  WHERE from_at = '-infinity' OR to_at = 'infinity' OR to_at > from_at + interval '744 hours' ORDER BY from_at`

// These functions of the database run as the owner of the tables: the user of the service may have no right to change them.
// They change nothing while other sessions hold locks.

/** Drops the months whose events are all older than `days`, at least 30, and returns their names. Seals stay. */
export async function dropAuditPartitions(pool: pg.Pool, days: number): Promise<string[]> {
  const { rows } = await pool.query<{ names: string[] }>('SELECT drop_audit_partitions($1) AS names', [days])
  return rows[0]?.names ?? []
}

/** Adds the partition of a month before it is needed. Returns its name, or undefined if it exists. */
export async function extendAuditPartitions(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string | null }>('SELECT extend_audit_partitions() AS name')
  return rows[0]?.name ?? undefined
}

/**
 * Returns the statement that deletes a batch. The order makes PostgreSQL use the index instead of reading the table. Without the
 * array, it may run the subquery once for each row, and its LIMIT would not limit the total.
 */
function deletion(table: string, { key, time, age = '0 days', also = 'true' }: Expired): string {
  const isExpired = `${time} < now() - interval '${age}' AND ${also}`
  const outdated = `SELECT ${key} FROM ${table} WHERE ${isExpired} ORDER BY ${time} LIMIT ${ROWS_AT_ONCE}`
  return `DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(${outdated}))`
}

/**
 * Returns the statement that deletes expired audit events of partitions longer than a month. Its setting lets the trigger
 * of the table accept the deletion. A sealed range is deleted only as a whole, because a seal cannot be verified with a
 * part of its rows. The bounds let PostgreSQL leave out the other partitions.
 */
function retention(days: number, { from, to }: AuditRange): string {
  const isOutdated = (time: string): string => `${time} < now() - interval '${days} days'`
  const isInRange = `at >= '${from}' AND at < '${to}'`
  return `
    WITH allowed AS MATERIALIZED (SELECT set_config('tawthiq.audit', 'retention', true)),
      outdated AS MATERIALIZED (
        SELECT id FROM audit_events e WHERE ${isInRange} AND ${isOutdated('at')} AND ${isOutdated(
          'coalesce((SELECT last_at FROM audit_seals WHERE to_id >= e.id ORDER BY to_id LIMIT 1), at)',
        )}
        ORDER BY at LIMIT ${ROWS_AT_ONCE})
    DELETE FROM audit_events USING allowed WHERE id = ANY (ARRAY(SELECT id FROM outdated)) AND ${isInRange}`
}
