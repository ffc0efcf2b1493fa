import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/account.ts'
import type { Clock } from '../../domain/clock.ts'
import { sendEmailCode, type EmailCode } from '../../domain/email-code.ts'
import { maskEmail } from '../../domain/mask.ts'
import type { AuditEvent, Trace } from '../../domain/trace.ts'
import type { Log } from '../../log.ts'
import { audited } from '../audit.ts'
import type { Database } from '../database.ts'
import { findAndHold, isProven } from '../held-account.ts'
import { NOW } from '../now.ts'
import { holdAccount, type LockedAccount } from '../own-account.ts'

type Transaction = Prisma.TransactionClient

/** A verification that was begun: what the message is made of. */
export type BegunVerification = Readonly<{ accountId: number; email: string; isPending: boolean; windowId: string }>

/** A code of an account that may be compared. */
export type CountedTry = Readonly<{ email: string; windowId: string }>

export type EmailVerifications = {
  /**
   * Stores that a message is sent that verifies the pending address of an account, or else its address.
   *
   * @param whose the account behind a token, or an account for which the message is sent to `email` or not at all
   * @returns undefined if there is nothing to verify
   * @throws Failure 401 `token_revoked`, 429 `rate_limited`
   */
  begin(
    whose: Bearer | { accountId: number; email: string },
    made: { newWindowId: string; tokenHash: Uint8Array<ArrayBuffer> },
    trace: Trace,
  ): Promise<BegunVerification | undefined>
  /**
   * Counts a try of the code of the account behind a token before it is compared.
   *
   * @returns 'exhausted' if there were too many, undefined if there is no code
   */
  countTry(bearer: Bearer): Promise<CountedTry | 'exhausted' | undefined>
}

const ADD_TOKEN = `
  INSERT INTO email_tokens (token_hash, account_id, purpose, email, expires_at)
  VALUES ($2, $3, 'verify', $4, ${NOW} + interval '${LIMITS.email.link_hours} hours')`

const WRONG_OF_DAY = `ARRAY(SELECT at FROM unnest(wrong_at) AS at WHERE at > ${NOW} - interval '1 day')`
const TRIES_LEFT = `wrong_tries < ${LIMITS.email.wrong_per_window}
  AND cardinality(${WRONG_OF_DAY}) < ${LIMITS.email.wrong_per_day}`

/**
 * One statement counts and decides, so that no number of parallel guesses is compared more often than allowed. `present` is as
 * old as the statement: a code that is there and was not counted is one whose tries others have used up meanwhile.
 */
const COUNT_TRY = `
  WITH present AS (
    SELECT account_id FROM email_codes
    WHERE account_id = $2 AND window_id IS NOT NULL AND expires_at > ${NOW}),
  counted AS (
    UPDATE email_codes SET wrong_tries = wrong_tries + 1, wrong_at = ${WRONG_OF_DAY} || ${NOW}::timestamptz(3)
    WHERE account_id = $2 AND window_id IS NOT NULL AND expires_at > ${NOW} AND ${TRIES_LEFT}
    RETURNING account_id, email, window_id)
  SELECT email, window_id AS "windowId" FROM present LEFT JOIN counted USING (account_id)`

export function emailVerifications(database: Database, { clock, log }: { clock: Clock; log: Log }): EmailVerifications {
  const { pool } = database
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async begin(whose, { newWindowId, tokenHash }, trace) {
      const eventsOf = (begun: BegunVerification | undefined): AuditEvent[] => {
        if (!begun) return []
        const { accountId, email } = begun
        return [{ event: 'email_verification_requested', ...trace, accountId, subject: maskEmail(email) }]
      }
      return inTransaction(eventsOf, async (transaction) => {
        const target = await targetOf(transaction, whose, shift())
        if (!target) return undefined
        const { accountId, email } = target
        const { code, nowMs } = await readCode(transaction, accountId, shift())
        const next = sendEmailCode(code, { email, newWindowId, nowMs })
        await writeCode(transaction, accountId, next)
        await transaction.$executeRawUnsafe(ADD_TOKEN, shift(), tokenHash, accountId, email)
        return { ...target, windowId: next.windowId }
      })
    },
    async countTry({ accountId }) {
      const { rows } = await pool.query<CountedTry | { windowId: null }>(COUNT_TRY, [shift(), accountId])
      const [row] = rows
      if (!row) return undefined
      return row.windowId === null ? 'exhausted' : row
    },
  }
}

type Target = Pick<BegunVerification, 'accountId' | 'email' | 'isPending'>

async function targetOf(
  transaction: Transaction,
  whose: Bearer | { accountId: number; email: string },
  shiftSeconds: number,
): Promise<Target | undefined> {
  const isBearer = 'sessionId' in whose
  const account: LockedAccount | undefined = isBearer
    ? await holdAccount(transaction, whose)
    : await findAndHold(transaction, whose.accountId, shiftSeconds)
  if (!account) return undefined
  const { accountId, pendingEmail } = account
  const email = pendingEmail ?? (isProven(account) ? undefined : account.email)
  if (email === undefined || (!isBearer && email !== whose.email)) return undefined
  return { accountId, email, isPending: pendingEmail !== null }
}

type CodeRow = {
  now: Date
  email: string | null
  windowId: string | null
  expiresAt: Date
  wrongTries: number
  sentAt: Date[]
}

async function readCode(
  transaction: Transaction,
  accountId: number,
  shiftSeconds: number,
): Promise<{ code: EmailCode | undefined; nowMs: number }> {
  const [row] = await transaction.$queryRawUnsafe<[CodeRow]>(
    `SELECT ${NOW} AS now, c.email, c.window_id AS "windowId", c.expires_at AS "expiresAt", c.wrong_tries AS "wrongTries",
      c.sent_at AS "sentAt" FROM (VALUES (1)) AS one LEFT JOIN email_codes c ON c.account_id = $2`,
    shiftSeconds,
    accountId,
  )
  const { email, windowId, wrongTries } = row
  if (email === null) return { code: undefined, nowMs: row.now.getTime() }
  const sentAtMs = row.sentAt.map((at) => at.getTime())
  const code = { email, windowId, wrongTries, sentAtMs, expiresAtMs: row.expiresAt.getTime() }
  return { code, nowMs: row.now.getTime() }
}

async function writeCode(transaction: Transaction, accountId: number, code: EmailCode): Promise<void> {
  const { email, windowId, wrongTries } = code
  const sentAt = code.sentAtMs.map((ms) => new Date(ms))
  const columns = { email, windowId, wrongTries, sentAt, expiresAt: new Date(code.expiresAtMs) }
  await transaction.emailCode.upsert({ where: { accountId }, create: { accountId, ...columns }, update: columns })
}
