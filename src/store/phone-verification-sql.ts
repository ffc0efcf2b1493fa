// The statements that read and write the windows of a number. Events are recorded by the statement of the change.
import type { PhoneVerification as Row } from '../../generated/prisma/client.ts'
import { column, select, table, type Columns } from '../database/columns.ts'
import { query } from '../database/query.ts'
import { NO_WINDOW_ID } from '../domain/phones/phone-verification.ts'
import { auditInsertForEach } from './audit/insert.ts'
import { COLUMNS } from './phone-verification-rows.ts'

const v = table('PhoneVerification', 'v')

/**
 * For a number without a row, the columns have the values of a row with one send, so that reading it takes as long: the
 * time of a wrong code must not reveal whether one was sent. Only `isStored` tells them apart.
 */
const WINDOW: Columns<{ now: Date; isStored: boolean } & Row> = {
  ...v,
  phone: column('$1::text'),
  purpose: column(`coalesce(v.purpose, 'verification')`),
  windowId: column(`coalesce(v.window_id, '${NO_WINDOW_ID}')`),
  state: column(`coalesce(v.state, 'used')`),
  startedAt: column('coalesce(v.started_at, now()::timestamptz(3))'),
  expiresAt: column('coalesce(v.expires_at, now()::timestamptz(3))'),
  wrongTries: column('coalesce(v.wrong_tries, 0)'),
  sentAt: column('coalesce(v.sent_at, ARRAY[now()::timestamptz(3)])'),
  sentBy: column(`coalesce(v.sent_by, '{}')`), // null in rows that are older than the column, as wrong_by
  wrongAt: column(`coalesce(v.wrong_at, '{}')`),
  wrongBy: column(`coalesce(v.wrong_by, '{}')`),
  version: column('coalesce(v.version, 0)'),
  isStored: column('v.phone IS NOT NULL'),
  now: column('now()'),
}
const readWindow = (list: string): string =>
  `SELECT ${list} FROM (VALUES (1)) AS one LEFT JOIN phone_verifications v ON v.phone = $1`

export const READ = query(select({ ...WINDOW, isTaken: column<boolean>('false') }), readWindow, 'read-window')
export const READ_OWNED = query(
  select({
    ...WINDOW,
    isTaken: column<boolean>('EXISTS (SELECT 1 FROM accounts WHERE phone = $1 AND phone_verified_at IS NOT NULL)'),
  }),
  readWindow,
  'read-owned-window',
)

const names = Object.values(COLUMNS)

/** `$1` is the version that the decision was made for; 0 if there was no row. */
const REPLACE_SQL = `
  INSERT INTO phone_verifications (version, ${names.join(', ')})
  VALUES ($1::int + 1, ${names.map((_, at) => `$${at + 2}`).join(', ')})
  ON CONFLICT (phone) DO UPDATE SET version = excluded.version, ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE phone_verifications.version = $1`
export const REPLACE = { name: 'replace-window', text: REPLACE_SQL }
export const REPLACE_AND_RECORD = {
  name: 'replace-window-and-record',
  text: `WITH replaced AS (${REPLACE_SQL} RETURNING 1) ${auditInsertForEach(names.length + 2, { from: 'replaced' })}`,
}
export const RECORD = { name: 'record-window', text: auditInsertForEach(1, { from: '(VALUES (1)) AS one' }) }

/**
 * Returns the statement that uses a confirmed window. The write is conditional, so that of concurrent requests with the
 * same code only one succeeds. Both columns are checked, because a send for the other purpose may have moved the window to
 * `other_window`.
 *
 * @param phone the parameter of the number
 * @param windowId the parameter of the window; no window is used if it is null
 */
export function useWindowSql(phone: string, windowId: string): string {
  return `
    UPDATE phone_verifications SET version = version + 1,
      state = CASE WHEN window_id = ${windowId}::text::uuid THEN 'used' ELSE state END,
      other_window = CASE WHEN window_id = ${windowId}::text::uuid THEN other_window END
    WHERE phone = ${phone} AND (window_id = ${windowId}::text::uuid AND state = 'confirmed'
      OR other_window->>'windowId' = ${windowId}::text AND other_window->>'state' = 'confirmed')`
}
export const USE_WINDOW = useWindowSql('$1', '$2')
