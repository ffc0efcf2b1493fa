import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { sendEmailCode } from '../../domain/emails/email-code.ts'
import { Failure } from '../../domain/failure.ts'
import { maskEmail } from '../../domain/text.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { MailAttempt, NewMail } from '../../domain/mail.ts'
import type { Change, StoreParts } from '../changes.ts'
import { column, outerTable, query, queryRow } from '../../database/sql.ts'
import { readCode, storeCode } from './codes.ts'
import { BEARER } from '../sessions/state.ts'
import { replaceMail } from '../mails/index.ts'
import {
  findAccountForUpdate,
  isEmailProven,
  lockAndAuthorizeAccount,
  type LockedAccount,
} from '../accounts/lock-account.ts'

/** The address of an account that has to be verified */
type VerificationTarget = Readonly<{ accountId: number; email: string; isPending: boolean }>

/** The data of the message of a verification. */
type BegunVerification = VerificationTarget &
  Readonly<{
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
type CountedTry = Readonly<{ email: string; windowId: string }>

export type EmailVerifications = {
  /**
   * Stores the code and the token of a message that verifies an address of an account, together with the message.
   *
   * @param records.toMail builds the message; if it throws, nothing is stored
   * @param records.request the row of the outbox that the message replaces; undefined adds a row
   * @returns undefined if there is nothing to verify
   * @throws Failure 401 `token_revoked`, 429 `rate_limited`
   */
  begin(
    whose: Verifying,
    made: { newWindowId: string; tokenHash: Uint8Array<ArrayBuffer> },
    records: Records,
  ): Promise<BegunVerification | undefined>
  /**
   * Counts a try of the account's code before it is compared.
   *
   * @returns the seconds until the account has tries again after too many of them; undefined if there is no code
   * @throws Failure 401 `token_revoked`
   */
  countTry(bearer: Bearer): Promise<CountedTry | { retryAfterSeconds: number } | undefined>
}

const HOUR_MS = 3_600_000

const c = outerTable('EmailCode', 'c')

const WRONG_OF_DAY = `ARRAY(SELECT at FROM unnest(wrong_at) AS at WHERE at > service_now() - interval '1 day')`
/** The seconds until the first of the wrong tries of the day no longer counts; null if the day has tries left. */
const DAY_ENDS_IN = `CASE WHEN cardinality(${WRONG_OF_DAY}) >= ${LIMITS.email.wrong_per_day}
  THEN ceil(extract(epoch FROM (${WRONG_OF_DAY})[1] + interval '1 day' - service_now()))::int END`
const TRIES_LEFT = `wrong_tries < ${LIMITS.email.wrong_per_window}
  AND cardinality(${WRONG_OF_DAY}) < ${LIMITS.email.wrong_per_day}`

/**
 * Counts and decides in one statement, so that concurrent guesses cannot exceed the limit. `present` reads the state
 * before the statement: a code that is present but not counted has no tries left.
 */
const COUNT_TRY = query<{
  isPresent: boolean
  email: string | null
  windowId: string | null
  dayEndsIn: number | null
}>(
  {
    isPresent: column('present.account_id IS NOT NULL'),
    email: c.email,
    windowId: c.windowId,
    dayEndsIn: column('present.day_ends_in'),
  },
  (list) => `
    WITH bearer AS (${BEARER}),
    present AS (
      SELECT account_id, ${DAY_ENDS_IN} AS day_ends_in FROM email_codes
      WHERE account_id IN (SELECT id FROM bearer) AND window_id IS NOT NULL AND expires_at > service_now()),
    counted AS (
      UPDATE email_codes SET wrong_tries = wrong_tries + 1, wrong_at = ${WRONG_OF_DAY} || service_now()::timestamptz(3)
      WHERE account_id IN (SELECT id FROM bearer) AND window_id IS NOT NULL AND expires_at > service_now() AND ${TRIES_LEFT}
      RETURNING account_id, email, window_id)
    SELECT ${list} FROM bearer
    LEFT JOIN present ON present.account_id = bearer.id LEFT JOIN counted c ON c.account_id = bearer.id`,
  'count-email-try',
)

export function emailVerifications({ pool, inModelChange }: StoreParts): EmailVerifications {
  return {
    begin: (whose, { newWindowId, tokenHash }, { auditContext, toMail, request }) =>
      inModelChange(async (change) => {
        const target = await findTarget(change, whose)
        if (!target) return undefined
        const { accountId, email } = target
        const { code, nowMs } = await readCode(change, accountId)
        const next = sendEmailCode(code, { email, newWindowId, nowMs })
        const begun = { ...target, windowId: next.windowId, countedAt: new Date(nowMs) }
        const mail = await toMail(begun)
        if (request && mail) await replaceMail(change.transaction, request, mail)
        const expiresAt = new Date(nowMs + LIMITS.email.link_hours * HOUR_MS)
        const token = { tokenHash, accountId, purpose: 'verify', email, expiresAt } as const
        const event = { event: 'email_verification_requested', ...auditContext, accountId } as const
        await storeCode(change, accountId, next)
        await change.tx.emailToken.createMany({ data: token })
        await change.record(accountId, {
          auditEvents: [{ ...event, subject: maskEmail(email) }],
          mails: request || !mail ? [] : [mail],
        })
        return begun
      }),
    async countTry({ accountId, sessionId }) {
      const row = await queryRow(pool, COUNT_TRY, accountId, sessionId)
      if (!row) throw new Failure('token_revoked')
      if (!row.isPresent) return undefined
      const { email, windowId, dayEndsIn } = row
      if (email !== null && windowId !== null) return { email, windowId }
      return { retryAfterSeconds: dayEndsIn ?? LIMITS.email.cooldown_seconds } // another message has a new code
    },
  }
}

/** The caller, or an account, and the address to verify; undefined means the current one */
type Verifying = (Bearer | Readonly<{ accountId: number }>) & Readonly<{ email: string | undefined }>

/**
 * Locks an account, and returns its address that has to be verified, if any. The pending address must be named: it may be that
 * of an attacker, who would get another message whenever the owner verifies the current one.
 */
async function findTarget(change: Change, whose: Verifying): Promise<VerificationTarget | undefined> {
  const account: LockedAccount | undefined =
    'sessionId' in whose
      ? await lockAndAuthorizeAccount(change, whose)
      : await findAccountForUpdate(change, whose.accountId)
  if (!account) return undefined
  const { accountId, pendingEmail } = account
  const { email = account.email } = whose
  if (email === pendingEmail) return { accountId, email, isPending: true }
  return email === account.email && !isEmailProven(account) ? { accountId, email, isPending: false } : undefined
}
