import type { AuditEvent } from '../domain/audit/audit-context.ts'
import type { Clock } from '../domain/clock.ts'
import { windowFor, type CodePurpose, type PhoneVerification } from '../domain/phones/phone-verification.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import type { Database } from '../database/index.ts'
import type { Log } from '../lib/log.ts'
import { logAuditEvents } from './audit/index.ts'
import { auditParameters } from './audit/insert.ts'
import { execute, queryOnlyRow, type Driver } from '../database/query.ts'
import { COLUMNS, fromRow, toRow, type WrittenRow } from './phone-verification-rows.ts'
import { READ, READ_OWNED, RECORD, REPLACE, REPLACE_AND_RECORD, USE_WINDOW } from './phone-verification-sql.ts'

/** The next window, and the audit event of the decision, if any */
type Decision = { next: PhoneVerification | undefined; event?: AuditEvent | undefined }

/** Decides the next window of a number and a purpose, from the current window and the current time. */
type Decide<Decided> = (current: PhoneVerification | undefined, nowMs: number) => Decided
/** Also considers whether an account has verified the number. */
type DecideAsOwned<Decided> = (current: PhoneVerification | undefined, nowMs: number, isTaken: boolean) => Decided

export type PhoneVerifications = {
  /**
   * Stores a decision, records its event and returns it. If the window was changed concurrently, the decision is made
   * again for the new window. A decision that does not change the window is only recorded.
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

export function phoneVerifications({ pool }: Database, { clock, log }: { clock: Clock; log: Log }): PhoneVerifications {
  const read = async (by: typeof READ, { phone, purpose }: About): Promise<Reading> => {
    const { now, isStored, isTaken, ...row } = await queryOnlyRow(pool, by, phone)
    const nowMs = now.getTime() + clock.shiftMs()
    const window = fromRow(row)
    return { current: windowFor(isStored ? window : undefined, purpose), nowMs, version: row.version, isTaken }
  }
  /** Writes the window if its version is unchanged, and returns whether it did. Also inserts a missing row. */
  const replace = async (next: PhoneVerification, version: number, event?: AuditEvent): Promise<boolean> => {
    const row = toRow(next)
    const written = Object.keys(COLUMNS).map((name) => row[name as keyof WrittenRow]) // COLUMNS has exactly these keys
    const values = [version, ...written, ...(event ? auditParameters(event) : [])]
    const { rowCount } = await pool.query({ ...(event ? REPLACE_AND_RECORD : REPLACE), values })
    return rowCount === 1
  }
  /** Returns false if the window has changed since it was read. */
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
export async function useWindow(transaction: Driver, window: PhoneVerification | undefined): Promise<void> {
  if (!window) return
  const { phone, windowId } = window
  const count = await execute(transaction, USE_WINDOW, phone, windowId)
  if (count !== 1) throw invalidData({ otp: ['otp_wrong'] })
}
