import type { Prisma } from '../../generated/prisma/client.ts'
import { type PhoneVerification as Row } from '../../generated/prisma/client.ts'
import type { Clock } from '../domain/clock.ts'
import type { CodePurpose, PhoneVerification } from '../domain/phones/code-window.ts'
import { NO_WINDOW_ID, windowFor } from '../domain/phones/code-purposes.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import { column, select, table } from '../database/columns.ts'
import type { Database } from '../database/index.ts'
import { query, queryOnlyRow } from '../database/query.ts'
import { COLUMNS, fromRow, toRow, type WrittenRow } from './phone-verification-rows.ts'

/** Decides the next window of a number and a purpose, from the current window and the current time. */
type Decide<Decision> = (current: PhoneVerification | undefined, nowMs: number) => Decision

export type PhoneVerifications = {
  /**
   * Stores a decision and returns it. If the window was changed concurrently, the decision is made again for the new
   * window. A decision that does not change the window is not stored.
   *
   * @throws Failure 503 `overloaded` after too many concurrent changes
   */
  change<Decision extends { next: PhoneVerification | undefined }>(
    about: About,
    decide: Decide<Decision>,
  ): Promise<Decision>
}

type About = { phone: string; purpose: CodePurpose }

/** Far more than the tries and sends of a number. Of concurrent changes, one always succeeds. */
const DECISIONS_MAX = 200

const v = table('PhoneVerification', 'v')

/**
 * For a number without a row, the columns have the values of a row with one send, so that reading it takes as long: the
 * time of a wrong code must not reveal whether one was sent. Only `isStored` tells them apart.
 */
const READ = query(
  select<{ now: Date; isStored: boolean } & Row>({
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
  }),
  (list) => `SELECT ${list} FROM (VALUES (1)) AS one LEFT JOIN phone_verifications v ON v.phone = $1`,
  'read-window',
)

export function phoneVerifications({ pool }: Database, clock: Clock): PhoneVerifications {
  const read = async ({ phone, purpose }: About): Promise<Reading> => {
    const row = await queryOnlyRow(pool, READ, phone)
    const nowMs = row.now.getTime() + clock.shiftMs()
    const window = fromRow(row)
    return { current: windowFor(row.isStored ? window : undefined, purpose), nowMs, version: row.version }
  }
  /** Writes the window if its version is unchanged, and returns whether it did. Also inserts a missing row. */
  const replace = async (next: PhoneVerification, version: number): Promise<boolean> => {
    const row = toRow(next)
    const values = Object.keys(COLUMNS).map((name) => row[name as keyof WrittenRow]) // COLUMNS has exactly these keys
    const { rowCount } = await pool.query({ name: 'replace-window', text: REPLACE, values: [version, ...values] })
    return rowCount === 1
  }
  return {
    async change(about, decide) {
      for (let decisions = 0; decisions < DECISIONS_MAX; decisions++) {
        const { current, nowMs, version } = await read(about)
        const decision = decide(current, nowMs)
        const { next } = decision
        const isChanged = next !== undefined && next !== current
        if (!isChanged || (await replace(next, version))) return decision
      }
      throw new Failure('overloaded', { retryAfterSeconds: 1 })
    },
  }
}

const names = Object.values(COLUMNS)

/** `$1` is the version that the decision was made for; 0 if there was no row. */
const REPLACE = `
  INSERT INTO phone_verifications (version, ${names.join(', ')})
  VALUES ($1::int + 1, ${names.map((_, at) => `$${at + 2}`).join(', ')})
  ON CONFLICT (phone) DO UPDATE SET version = excluded.version, ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE phone_verifications.version = $1`

type Reading = { current: PhoneVerification | undefined; nowMs: number; version: number }

/**
 * Uses a confirmed code. The write is conditional, so that of concurrent requests with the same code only one succeeds.
 * Both columns are checked, because a send for the other purpose may have moved the window to `other_window`.
 *
 * @throws Failure 422 on `otp` if the code is already used or no longer confirmed
 */
export async function useWindow(
  transaction: Prisma.TransactionClient,
  window: PhoneVerification | undefined,
): Promise<void> {
  if (!window) return
  const { phone, windowId } = window
  const count = await transaction.$executeRaw`
    UPDATE phone_verifications SET version = version + 1,
      state = CASE WHEN window_id = ${windowId}::uuid THEN 'used' ELSE state END,
      other_window = CASE WHEN window_id = ${windowId}::uuid THEN other_window END
    WHERE phone = ${phone} AND (window_id = ${windowId}::uuid AND state = 'confirmed'
      OR other_window->>'windowId' = ${windowId} AND other_window->>'state' = 'confirmed')`
  if (count !== 1) throw invalidData({ otp: ['otp_wrong'] })
}
