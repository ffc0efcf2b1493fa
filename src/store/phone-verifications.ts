import type { Prisma } from '../../generated/prisma/client.ts'
import { type PhoneVerification as Row } from '../../generated/prisma/client.ts'
import type { Clock } from '../domain/clock.ts'
import { windowFor, type CodePurpose, type OtherWindow } from '../domain/code-purposes.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import type { CodeEvent } from '../domain/otp-limits.ts'
import type { PhoneVerification } from '../domain/phone-verification.ts'
import type { Database } from './database.ts'

/** Decides from the window of a number for a purpose, and the time of the database, what the window is next. */
type Decide<Decision> = (current: PhoneVerification | undefined, nowMs: number) => Decision

export type PhoneVerifications = {
  /**
   * Stores the decision, and resolves to it when it is stored. A decision applies only to the window that it was made
   * on: when another change was faster, it is made again. A decision that does not change the window is not stored.
   */
  change<Decision extends { next: PhoneVerification | undefined }>(
    about: About,
    decide: Decide<Decision>,
  ): Promise<Decision>
}

type About = { phone: string; purpose: CodePurpose }

/** Far more than a number has tries and sends: each change but one among equals is final. */
const DECISIONS_MAX = 200

export function phoneVerifications({ prisma, pool }: Database, clock: Clock): PhoneVerifications {
  const read = async ({ phone, purpose }: About): Promise<Reading> => {
    const [row] = await prisma.$queryRaw<[{ now: Date } & (Row | Record<keyof Row, null>)]>`
      SELECT now() AS now, v.phone, v.purpose::text, v.window_id AS "windowId", v.state::text, v.started_at AS "startedAt",
        v.expires_at AS "expiresAt", v.confirmed_at AS "confirmedAt", v.wrong_tries AS "wrongTries",
        v.sent_at AS "sentAt", coalesce(v.sent_by, '{}') AS "sentBy", v.wrong_at AS "wrongAt",
        coalesce(v.wrong_by, '{}') AS "wrongBy", v.other_window AS "otherWindow", v.version
      FROM (VALUES (1)) AS one LEFT JOIN phone_verifications v ON v.phone = ${phone}`
    const nowMs = row.now.getTime() + clock.shiftMs()
    const current = row.phone === null ? undefined : windowFor(fromRow(row), purpose)
    return { current, nowMs, version: row.version ?? 0 }
  }
  /** One conditional write: it happened if one row was changed. A number without a row takes the same statement. */
  const replace = async (next: PhoneVerification, version: number): Promise<boolean> => {
    const row = toRow(next)
    const values = Object.keys(COLUMNS).map((name) => row[name as keyof typeof COLUMNS]) // the keys of COLUMNS are these
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

/** The columns that a change writes, by their names in Prisma */
const COLUMNS = {
  phone: 'phone',
  purpose: 'purpose',
  windowId: 'window_id',
  state: 'state',
  startedAt: 'started_at',
  expiresAt: 'expires_at',
  confirmedAt: 'confirmed_at',
  wrongTries: 'wrong_tries',
  sentAt: 'sent_at',
  sentBy: 'sent_by',
  wrongAt: 'wrong_at',
  wrongBy: 'wrong_by',
  otherWindow: 'other_window',
} as const

const names = Object.values(COLUMNS)

/** `$1` is the version that the change was decided on, 0 where there was no row. */
const REPLACE = `
  INSERT INTO phone_verifications (version, ${names.join(', ')})
  VALUES ($1::int + 1, ${names.map((_, at) => `$${at + 2}`).join(', ')})
  ON CONFLICT (phone) DO UPDATE SET version = excluded.version, ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE phone_verifications.version = $1`

type Reading = { current: PhoneVerification | undefined; nowMs: number; version: number }

function fromRow(row: Row): PhoneVerification {
  const { phone, purpose, windowId, state, wrongTries } = row
  return {
    phone,
    purpose,
    windowId,
    state,
    wrongTries,
    startedAtMs: row.startedAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
    confirmedAtMs: row.confirmedAt?.getTime(),
    sends: eventsOf(row.sentAt, row.sentBy),
    wrong: eventsOf(row.wrongAt, row.wrongBy),
    other: (row.otherWindow as OtherWindow | null) ?? undefined, // written below
  }
}

function eventsOf(moments: readonly Date[], networks: readonly string[]): CodeEvent[] {
  return moments.map((at, index) => ({ atMs: at.getTime(), by: networks[index] ?? '' }))
}

function toRow(window: PhoneVerification): Pick<Row, keyof typeof COLUMNS> {
  const { phone, purpose, windowId, state, wrongTries, confirmedAtMs, other } = window
  return {
    phone,
    purpose,
    windowId,
    state,
    wrongTries,
    startedAt: new Date(window.startedAtMs),
    expiresAt: new Date(window.expiresAtMs),
    confirmedAt: confirmedAtMs === undefined ? null : new Date(confirmedAtMs),
    sentAt: window.sends.map(({ atMs }) => new Date(atMs)),
    sentBy: window.sends.map(({ by }) => by),
    wrongAt: window.wrong.map(({ atMs }) => new Date(atMs)),
    wrongBy: window.wrong.map(({ by }) => by),
    otherWindow: other ?? null,
  }
}

/** One conditional write: of many who use one code, one changes a row. A send for the other purpose may come in between. */
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
