import { Prisma, type PhoneVerification as Row } from '../../generated/prisma/client.ts'
import type { Clock } from '../domain/clock.ts'
import { windowFor, type CodePurpose, type OtherWindow } from '../domain/code-purposes.ts'
import { Failure, invalidData } from '../domain/failure.ts'
import type { PhoneVerification } from '../domain/phone-verification.ts'
import type { Database } from './database.ts'
import { decoyAt, DECOY_VERSION, randomDecoy } from './decoys.ts'

/** Decides from the window of a number for a purpose, and the time of the database, what the window is next. */
type Decide<Decision> = (current: PhoneVerification | undefined, nowMs: number) => Decision

export type PhoneVerifications = {
  /**
   * Stores the decision, and resolves to it when it is stored. A decision applies only to the window that it was made
   * on: when somebody else was faster, it is made anew. A decision that does not change the window is not stored, but it
   * takes as long: the same statements read and write a decoy. One that repeats an earlier success needs no decoy.
   */
  change<Decision extends { next: PhoneVerification | undefined; isRepeated?: boolean }>(
    about: About,
    decide: Decide<Decision>,
  ): Promise<Decision>
}

type About = { phone: string; purpose: CodePurpose }

/** Far more than a number has tries and sends: each change but one among equals is final. */
const DECISIONS_MAX = 200

export function phoneVerifications({ prisma }: Database, clock: Clock): PhoneVerifications {
  /** Reads one row in any case: that of the number, or the decoy if there is none. */
  const read = async ({ phone, purpose }: About, decoy: string): Promise<Reading> => {
    const [row] = await prisma.$queryRaw<[{ now: Date } & (Row | Record<keyof Row, null>)]>`
      SELECT now() AS now, v.phone, v.purpose::text, v.window_id AS "windowId", v.state::text, v.started_at AS "startedAt",
        v.expires_at AS "expiresAt", v.confirmed_at AS "confirmedAt", v.wrong_tries AS "wrongTries",
        v.sent_at AS "sentAt", v.wrong_at AS "wrongAt", v.other_window AS "otherWindow", v.version
      FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
        SELECT * FROM phone_verifications WHERE phone IN (${phone}, ${decoy}) ORDER BY phone = ${phone} DESC LIMIT 1
      ) v ON true`
    const nowMs = row.now.getTime() + clock.shiftMs()
    const found = row.phone === null ? undefined : fromRow(row)
    if (found?.phone !== phone) return { current: undefined, nowMs, version: 0 }
    return { current: windowFor(found, purpose), nowMs, version: row.version ?? 0 }
  }
  /** One conditional write: it happened if one row was changed. */
  const replace = async (next: PhoneVerification, { from, to }: { from: number; to: number }): Promise<boolean> => {
    const data = { ...toRow(next), version: to }
    const { count } =
      from === 0
        ? await prisma.phoneVerification.createMany({ data, skipDuplicates: true })
        : await prisma.phoneVerification.updateMany({ where: { phone: next.phone, version: from }, data })
    return count === 1
  }
  const writeDecoy = (decoy: string, nowMs: number): Promise<boolean> =>
    replace(decoyAt(decoy, nowMs), { from: DECOY_VERSION, to: DECOY_VERSION })
  return {
    async change(about, decide) {
      const decoy = randomDecoy()
      for (let decisions = 0; decisions < DECISIONS_MAX; decisions++) {
        const { current, nowMs, version } = await read(about, decoy)
        const decision = decide(current, nowMs)
        const { next, isRepeated = false } = decision
        const isChanged = next !== undefined && next !== current
        if (!isChanged && !isRepeated) await writeDecoy(decoy, nowMs)
        if (!isChanged || (await replace(next, { from: version, to: version + 1 }))) return decision
      }
      throw new Failure('overloaded', { retryAfterSeconds: 1 })
    },
  }
}

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
    sentAtMs: row.sentAt.map((at) => at.getTime()),
    wrongAtMs: row.wrongAt.map((at) => at.getTime()),
    other: (row.otherWindow as OtherWindow | null) ?? undefined, // written below
  }
}

type Data = Omit<Row, 'version' | 'otherWindow'> & Pick<Prisma.PhoneVerificationCreateManyInput, 'otherWindow'>

function toRow(window: PhoneVerification): Data {
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
    sentAt: window.sentAtMs.map((ms) => new Date(ms)),
    wrongAt: window.wrongAtMs.map((ms) => new Date(ms)),
    otherWindow: other ?? Prisma.DbNull,
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
