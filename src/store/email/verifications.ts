import type { Prisma } from '../../../generated/prisma/client.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import { sendEmailCode } from '../../domain/emails/email-code.ts'
import { maskEmail } from '../../domain/mask.ts'
import type { AuditEvent, AuditContext } from '../../domain/audit/audit-context.ts'
import type { MailAttempt, NewMail } from '../../domain/mail.ts'
import type { Log } from '../../lib/log.ts'
import { audited } from '../audit/index.ts'
import { column, outerTable, select } from '../../database/columns.ts'
import type { Database } from '../../database/index.ts'
import { readCode, writeCode } from './codes.ts'
import { replaceMail } from '../mails/index.ts'
import { NOW } from '../../database/now.ts'
import { query, queryRow } from '../../database/query.ts'
import { findTarget } from './verification-target.ts'

type Transaction = Prisma.TransactionClient

/** The data of the message of a verification. */
export type BegunVerification = Readonly<{
  accountId: number
  email: string
  isPending: boolean
  windowId: string
  /** The time by which the sends of the account count the message */
  countedAt: Date
}>

/** What a verification records: its audit event and its message */
type Records = Readonly<{
  auditContext: AuditContext
  toMail: (begun: BegunVerification) => Promise<NewMail | undefined>
  request: MailAttempt | undefined
}>

/** A code that may be compared, because its try is counted. */
export type CountedTry = Readonly<{ email: string; windowId: string }>

export type EmailVerifications = {
  /**
   * Stores the code and the token of a message that verifies the pending address of an account, or else its address,
   * together with the message.
   *
   * @param whose the caller, or an account and the only `email` that the message may be sent to
   * @param records.toMail builds the message; if it throws, nothing is stored
   * @param records.request the row of the outbox that the message replaces; undefined adds a row
   * @returns undefined if there is nothing to verify
   * @throws Failure 401 `token_revoked`, 429 `rate_limited`
   */
  begin(
    whose: Bearer | { accountId: number; email: string },
    made: { newWindowId: string; tokenHash: Uint8Array<ArrayBuffer> },
    records: Records,
  ): Promise<BegunVerification | undefined>
  /**
   * Counts a try of the account's code before it is compared.
   *
   * @returns the seconds until the account has tries again after too many of them; undefined if there is no code
   */
  countTry(bearer: Bearer): Promise<CountedTry | { retryAfterSeconds: number } | undefined>
}

const ADD_TOKEN = `
  INSERT INTO email_tokens (token_hash, account_id, purpose, email, expires_at)
  VALUES ($2, $3, 'verify', $4, ${NOW} + interval '${LIMITS.email.link_hours} hours')`

const c = outerTable('EmailCode', 'c')

const WRONG_OF_DAY = `ARRAY(SELECT at FROM unnest(wrong_at) AS at WHERE at > ${NOW} - interval '1 day')`
/** The seconds until the first of the wrong tries of the day no longer counts; null if the day has tries left. */
const DAY_ENDS_IN = `CASE WHEN cardinality(${WRONG_OF_DAY}) >= ${LIMITS.email.wrong_per_day}
  THEN ceil(extract(epoch FROM (${WRONG_OF_DAY})[1] + interval '1 day' - ${NOW}))::int END`
const TRIES_LEFT = `wrong_tries < ${LIMITS.email.wrong_per_window}
  AND cardinality(${WRONG_OF_DAY}) < ${LIMITS.email.wrong_per_day}`

/**
 * Counts and decides in one statement, so that concurrent guesses cannot exceed the limit. `present` reads the state
 * before the statement: a code that is present but not counted has no tries left.
 */
const COUNT_TRY = query(
  select<{ email: string | null; windowId: string | null; dayEndsIn: number | null }>({
    email: c.email,
    windowId: c.windowId,
    dayEndsIn: column('present.day_ends_in'),
  }),
  (list) => `
    WITH present AS (
      SELECT account_id, ${DAY_ENDS_IN} AS day_ends_in FROM email_codes
      WHERE account_id = $2 AND window_id IS NOT NULL AND expires_at > ${NOW}),
    counted AS (
      UPDATE email_codes SET wrong_tries = wrong_tries + 1, wrong_at = ${WRONG_OF_DAY} || ${NOW}::timestamptz(3)
      WHERE account_id = $2 AND window_id IS NOT NULL AND expires_at > ${NOW} AND ${TRIES_LEFT}
      RETURNING account_id, email, window_id)
    SELECT ${list} FROM present LEFT JOIN counted c USING (account_id)`,
)

export function emailVerifications(database: Database, { clock, log }: { clock: Clock; log: Log }): EmailVerifications {
  const { pool } = database
  const inTransaction = audited(database, log)
  const shift = (): number => clock.shiftMs() / 1000
  return {
    async begin(whose, { newWindowId, tokenHash }, { auditContext, toMail, request }) {
      const toAuditEvents = (begun: BegunVerification | undefined): AuditEvent[] => {
        if (!begun) return []
        const { accountId, email } = begun
        return [{ event: 'email_verification_requested', ...auditContext, accountId, subject: maskEmail(email) }]
      }
      const begin = async (transaction: Transaction): Promise<Stored | undefined> => {
        const target = await findTarget(transaction, whose, shift())
        if (!target) return undefined
        const { accountId, email } = target
        const { code, nowMs } = await readCode(transaction, accountId, shift())
        const next = sendEmailCode(code, { email, newWindowId, nowMs })
        await writeCode(transaction, accountId, next)
        await transaction.$executeRawUnsafe(ADD_TOKEN, shift(), tokenHash, accountId, email)
        const begun = { ...target, windowId: next.windowId, countedAt: new Date(nowMs) }
        const mail = await toMail(begun)
        if (request && mail) await replaceMail(transaction, request, mail)
        return { ...begun, mails: request || !mail ? [] : [mail] }
      }
      return inTransaction(toAuditEvents, begin, ({ mails }) => mails)
    },
    async countTry({ accountId }) {
      const row = await queryRow(pool, COUNT_TRY, shift(), accountId)
      if (!row) return undefined
      const { email, windowId, dayEndsIn } = row
      if (email !== null && windowId !== null) return { email, windowId }
      return { retryAfterSeconds: dayEndsIn ?? LIMITS.email.cooldown_seconds } // another message has a new code
    },
  }
}

type Stored = BegunVerification & { mails: readonly NewMail[] }
