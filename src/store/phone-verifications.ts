// The statements that read and write the verifications of a number. Events are recorded by the statement of the change.
import type { AuditEvent } from '../domain/audit/audit-context.ts'
import {
  verificationOf,
  NO_WINDOW_ID,
  type CodePurpose,
  type PhoneVerification,
  type OtherWindow,
} from '../domain/phones/phone-verification.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import { logAuditEvents, auditParameters, auditInsertForEach } from './audit/index.ts'
import { column, execute, query, queryOnlyRow, snakeCase, table, type Columns, type Driver } from '../database/sql.ts'
import type { PhoneVerification as Row } from '../../generated/prisma/client.ts'
import type { CodeEvent } from '../domain/phones/otp-limits.ts'
import type { StoreParts } from './changes.ts'

/** The next verification, and the audit event of the decision, if any */
type Decision = { next: PhoneVerification | undefined; event?: AuditEvent | undefined }

/** Decides the next verification of a number and a purpose, from the current verification and the current time. */
type Decide<Decided> = (current: PhoneVerification | undefined, nowMs: number) => Decided
/** Also considers whether an account has verified the number. */
type DecideAsOwned<Decided> = (current: PhoneVerification | undefined, nowMs: number, isTaken: boolean) => Decided

export type PhoneVerifications = {
  /**
   * Stores a decision, records its event and returns it. If the verification was changed concurrently, the decision is made
   * again for the new verification. A decision that does not change the verification is only recorded.
   *
   * @throws Failure 503 `overloaded` after too many concurrent changes
   */
  change<Decided extends Decision>(about: About, decide: Decide<Decided>): Promise<Decided>
  /** Like `change`, for a number that an account may have verified. */
  changeUnowned<Decided extends Decision>(about: About, decide: DecideAsOwned<Decided>): Promise<Decided>
}

type About = { phone: string; purpose: CodePurpose }

/** Far more than the tries and sends of a number. Of concurrent changes, one always succeeds. */
const DECISIONS_MAX = 200

export function phoneVerifications({ pool, log }: StoreParts): PhoneVerifications {
  const read = async (by: typeof READ, { phone, purpose }: About): Promise<Reading> => {
    const { now, isStored, isTaken, ...row } = await queryOnlyRow(pool, by, phone)
    const nowMs = now.getTime()
    const verification = fromRow(row)
    return {
      current: verificationOf(isStored ? verification : undefined, purpose),
      nowMs,
      version: row.version,
      isTaken,
    }
  }
  /** Writes the verification if its version is unchanged, and returns whether it did. Also inserts a missing row. */
  const replace = async (next: PhoneVerification, version: number, event?: AuditEvent): Promise<boolean> => {
    const row = toRow(next)
    const values = [version, ...FIELDS.map((field) => row[field]), ...(event ? auditParameters(event) : [])]
    const { rowCount } = await pool.query({ ...(event ? REPLACE_AND_RECORD : REPLACE), values })
    return rowCount === 1
  }
  /** Returns false if the verification has changed since it was read. */
  const store = async ({ next, event }: Decision, { current, version }: Reading): Promise<boolean> => {
    if (next !== undefined && next !== current) return replace(next, version, event)
    if (event) await pool.query({ ...RECORD, values: auditParameters(event) })
    return true
  }
  const decideBy = async <Decided extends Decision>(
    by: typeof READ,
    about: About,
    decide: DecideAsOwned<Decided>,
  ): Promise<Decided> => {
    for (let decisions = 0; decisions < DECISIONS_MAX; decisions++) {
      const reading = await read(by, about)
      const decision = decide(reading.current, reading.nowMs, reading.isTaken)
      if (!(await store(decision, reading))) continue
      if (decision.event) logAuditEvents([decision.event], log)
      return decision
    }
    throw new Failure('overloaded', { retryAfterSeconds: 1 })
  }
  return {
    change: (about, decide) => decideBy(READ, about, decide),
    changeUnowned: (about, decide) => decideBy(READ_OWNED, about, decide),
  }
}

type Reading = { current: PhoneVerification | undefined; nowMs: number; version: number; isTaken: boolean }

/**
 * Uses a confirmed code.
 *
 * @throws Failure 422 on `otp` if the code is already used or no longer confirmed
 */
export async function useVerification(transaction: Driver, verification: PhoneVerification | undefined): Promise<void> {
  if (!verification) return
  const { phone, windowId } = verification
  const count = await execute(transaction, USE_WINDOW, phone, windowId)
  if (count !== 1) throw invalidData({ otp: ['otp_wrong'] })
}

function fromRow(row: Row): PhoneVerification {
  const { version: _, startedAt, expiresAt, confirmedAt, sentAt, sentBy, wrongAt, wrongBy, otherWindow, ...same } = row
  return {
    ...same,
    startedAtMs: startedAt.getTime(),
    expiresAtMs: expiresAt.getTime(),
    confirmedAtMs: confirmedAt?.getTime(),
    sends: toCodeEvents(sentAt, sentBy),
    wrong: toCodeEvents(wrongAt, wrongBy),
    other: (otherWindow as OtherWindow | null) ?? undefined, // toRow writes this type
  }
}

function toCodeEvents(moments: readonly Date[], networks: readonly string[]): CodeEvent[] {
  return moments.map((at, index) => ({ atMs: at.getTime(), by: networks[index] ?? '' }))
}

function toRow(verification: PhoneVerification): Omit<Row, 'version'> {
  const { startedAtMs, expiresAtMs, confirmedAtMs, sends, wrong, other, ...same } = verification
  return {
    ...same,
    startedAt: new Date(startedAtMs),
    expiresAt: new Date(expiresAtMs),
    confirmedAt: confirmedAtMs === undefined ? null : new Date(confirmedAtMs),
    sentAt: sends.map(({ atMs }) => new Date(atMs)),
    sentBy: sends.map(({ by }) => by),
    wrongAt: wrong.map(({ atMs }) => new Date(atMs)),
    wrongBy: wrong.map(({ by }) => by),
    otherWindow: other ?? null,
  }
}

const v = table('PhoneVerification', 'v')

/**
 * For a number without a row, the columns have the values of a row with one send, so that reading it takes as long: the
 * time of a wrong code must not reveal whether one was sent. Only `isStored` tells them apart.
 */
const VERIFICATION: Columns<{ now: Date; isStored: boolean } & Row> = {
  ...v,
  phone: column('$1::text'),
  purpose: column(`coalesce(v.purpose, 'verification')`),
  windowId: column(`coalesce(v.window_id, '${NO_WINDOW_ID}')`),
  state: column(`coalesce(v.state, 'used')`),
  startedAt: column('coalesce(v.started_at, service_now()::timestamptz(3))'),
  expiresAt: column('coalesce(v.expires_at, service_now()::timestamptz(3))'),
  wrongTries: column('coalesce(v.wrong_tries, 0)'),
  sentAt: column('coalesce(v.sent_at, ARRAY[service_now()::timestamptz(3)])'),
  sentBy: column(`coalesce(v.sent_by, '{}')`), // null in rows that are older than the column, as wrong_by
  wrongAt: column(`coalesce(v.wrong_at, '{}')`),
  wrongBy: column(`coalesce(v.wrong_by, '{}')`),
  version: column('coalesce(v.version, 0)'),
  isStored: column('v.phone IS NOT NULL'),
  now: column('service_now()'),
}
const readVerification = (list: string): string =>
  `SELECT ${list} FROM (VALUES (1)) AS one LEFT JOIN phone_verifications v ON v.phone = $1`

const READ = query({ ...VERIFICATION, isTaken: column<boolean>('false') }, readVerification, 'read-window')
const READ_OWNED = query(
  {
    ...VERIFICATION,
    isTaken: column<boolean>('EXISTS (SELECT 1 FROM accounts WHERE phone = $1 AND phone_verified_at IS NOT NULL)'),
  },
  readVerification,
  'read-owned-window',
)

/** The fields that a change writes: all except `version`, which the statement increments. */
const FIELDS = (Object.keys(v) as (keyof Row)[]).filter((field) => field !== 'version')
const names = FIELDS.map(snakeCase)

/** `$1` is the version that the decision was made for; 0 if there was no row. */
const REPLACE_SQL = `
  INSERT INTO phone_verifications (version, ${names.join(', ')})
  VALUES ($1::int + 1, ${names.map((_, at) => `$${at + 2}`).join(', ')})
  ON CONFLICT (phone) DO UPDATE SET version = excluded.version, ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE phone_verifications.version = $1`
const REPLACE = { name: 'replace-window', text: REPLACE_SQL }
const REPLACE_AND_RECORD = {
  name: 'replace-window-and-record',
  text: `WITH replaced AS (${REPLACE_SQL} RETURNING 1) ${auditInsertForEach(names.length + 2, { from: 'replaced' })}`,
}
const RECORD = { name: 'record-window', text: auditInsertForEach(1, { from: '(VALUES (1)) AS one' }) }

/**
 * Returns the statement that uses a confirmed verification. The write is conditional, so that of concurrent requests with the
 * same code only one succeeds. Both columns are checked, because a send for the other purpose may have moved the verification to
 * `other_window`.
 *
 * @param phone the parameter of the number
 * @param windowId the parameter of the verification; no verification is used if it is null
 */
export function useWindowSql(phone: string, windowId: string): string {
  return `
    UPDATE phone_verifications SET version = version + 1,
      state = CASE WHEN window_id = ${windowId}::text::uuid THEN 'used' ELSE state END,
      other_window = CASE WHEN window_id = ${windowId}::text::uuid THEN other_window END
    WHERE phone = ${phone} AND (window_id = ${windowId}::text::uuid AND state = 'confirmed'
      OR other_window->>'windowId' = ${windowId}::text AND other_window->>'state' = 'confirmed')`
}
const USE_WINDOW = useWindowSql('$1', '$2')
