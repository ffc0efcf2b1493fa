import type { AccountType } from '../../domain/accounts/account.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { DomainEvent } from '../../domain/event.ts'
import { Failure, invalidData } from '../../domain/failure.ts'
import type { Claim } from '../../domain/idempotency.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { Names } from '../../domain/profiles/profile.ts'
import type { NewMail } from '../../domain/mail.ts'
import { throwIfTaken } from '../../database/unique-conflicts.ts'
import { query, queryRow, snakeCase, table, type Query } from '../../database/sql.ts'
import { logAuditEvents, auditParameters, auditInsertForEach } from '../audit/index.ts'
import { mailsJson, mailInsertFrom } from '../mails/rows.ts'
import type { Account, LawyerProfile } from '../../../generated/prisma/client.ts'
import { useWindowSql } from '../phone-verifications.ts'
import type { WrittenRow } from '../profiles/write-profile.ts'
import { SESSION_COLUMNS, SESSION_VALUES } from '../sessions/begin.ts'
import type { StoreParts } from '../changes.ts'

export type Registration = Readonly<{
  account: {
    email: string
    accountType: AccountType
    passwordHash: string
    phone: { e164: string; code: string; isVerified: boolean }
  }
  /** The full name */
  name: string
  /** The parts of a lawyer's name */
  names: Names | undefined
  /** The confirmed verification whose code the registration uses */
  verification: PhoneVerification | undefined
  client: { address: string; userAgent: string | undefined }
  auditContext: AuditContext
  /** The e-mails to the new account, whose id is not known yet */
  mails: readonly NewMail[]
}>

export type Opened = { accountId: number; sessionId: string }

export type Registrations = {
  /**
   * Creates an account with its profile and its first session, all or nothing.
   *
   * @param claim the request with an Idempotency-Key, whose outcome is the session
   * @throws Failure 422 on `email`, `phone` or `otp` if a concurrent request was faster, 409 `idempotency_in_progress` if it
   * has taken the key over
   */
  add(registration: Registration, claim?: Claim): Promise<Opened>
}

export function registrations({ pool, log, outbox }: StoreParts): Registrations {
  return {
    async add(registration, claim) {
      const { account, name, names, verification, client, auditContext, mails } = registration
      const { email, phone } = account
      const event = { event: 'registered', ...auditContext } as const
      const opened = await queryRow(
        pool,
        claim ? REGISTER_ONCE : REGISTER,
        ...[email, client.address, client.userAgent ?? null],
        ...[account.passwordHash, phone.e164, phone.code, account.accountType, phone.isVerified],
        ...[verification?.windowId ?? null, name],
        ...[names?.firstName, names?.secondName, names?.thirdName, names?.fourthName].map((part) => part ?? null),
        ...[JSON.stringify(registrationEvents(account)), outbox.hasWebhook, outbox.traceParent()],
        mailsJson(mails, outbox.traceParent()),
        ...auditParameters(event),
        ...(claim ? [claim.id, claim.token] : []),
      ).catch(throwIfTaken)
      if (!opened) throw refusal(registration)
      logAuditEvents([{ ...event, accountId: opened.accountId }], log)
      outbox.onCommit('events')
      if (mails.length > 0) outbox.onCommit('mails')
      return opened
    },
  }
}

/** Returns why a registration was not stored: its code is used, or another request has taken its Idempotency-Key over. */
function refusal({ verification }: Registration): Failure {
  if (verification) return invalidData({ otp: ['otp_wrong'] })
  return new Failure('idempotency_in_progress', { retryAfterSeconds: 1 })
}

/** An event of the new account, whose id is not known yet */
type NewAccountEvent<Event = DomainEvent> = Event extends DomainEvent
  ? { type: Event['type']; data: Omit<Event['data'], 'account_id'> }
  : never

function registrationEvents({ accountType, phone }: Registration['account']): NewAccountEvent[] {
  const data = { account_type: accountType, phone_verified: phone.isVerified }
  const registered = { type: 'account.registered', data } as const
  return phone.isVerified ? [registered, { type: 'phone.confirmed', data: {} }] : [registered]
}

type AccountFields = { email: string; passwordHash: string; phone: string; phoneCode: string; accountType: AccountType }

/** The parameter of each column of the account, and of a lawyer's names. A column without one does not compile. */
const ACCOUNT: Record<keyof WrittenRow<AccountFields, Account>, string> = {
  email: '$1',
  passwordHash: '$4',
  phone: '$5',
  phoneCode: '$6',
  accountType: '$7::"AccountType"',
}
const NAMES: Record<keyof WrittenRow<Names, LawyerProfile>, string> = {
  firstName: '$11::text',
  secondName: '$12',
  thirdName: '$13',
  fourthName: '$14',
}
const columnsOf = (parameters: object): string => Object.keys(parameters).map(snakeCase).join(', ')
const valuesOf = (parameters: Record<string, string>): string => Object.values(parameters).join(', ')

const s = table('Session', 's')

/** The parameters that are no columns: whether the number is verified, the verification that proved it, the full name */
const [IS_VERIFIED, WINDOW_ID, NAME] = ['$8', '$9', '$10'] as const

/**
 * Creates an account with its profile and its first session, and uses the verification `$9`. Returns no row if another request
 * has used the verification. `$2` and `$3` are those of the session, `$15` are the events as JSON without the id of the
 * account, `$16` is whether a webhook receives them, `$17` their trace, `$18` are the e-mails, and `$19` to `$22` are those of
 * the audit event.
 *
 * A verified number recovers the account at once, and no longer recovers another one.
 */
const registering = (name: string, { first = '', condition = '', last = '' } = {}): Query<Opened> =>
  query<Opened>(
    { accountId: s.accountId, sessionId: s.id },
    (list) => `
    WITH ${first} used AS (${useWindowSql('$5', WINDOW_ID)} ${condition} RETURNING 1),
    account AS (
      INSERT INTO accounts (${columnsOf(ACCOUNT)}, phone_verified_at, phone_recovers_from)
      SELECT ${valuesOf(ACCOUNT)}, CASE WHEN ${IS_VERIFIED} THEN service_now() END, CASE WHEN ${IS_VERIFIED} THEN service_now() END
      WHERE (${WINDOW_ID} IS NULL OR EXISTS (SELECT 1 FROM used)) ${condition}
      RETURNING id),
    outdated AS (DELETE FROM former_phones WHERE phone = $5 AND ${IS_VERIFIED} AND EXISTS (SELECT 1 FROM account)),
    profile AS (INSERT INTO profiles (account_id, name) SELECT id, ${NAME} FROM account),
    lawyer AS (
      INSERT INTO lawyer_profiles (account_id, ${columnsOf(NAMES)})
      SELECT id, ${valuesOf(NAMES)} FROM account WHERE ${NAMES.firstName} IS NOT NULL),
    events AS (
      INSERT INTO events (type, account_id, data, next_attempt_at, trace_parent)
      SELECT e->>'type', id, e->'data' || jsonb_build_object('account_id', id), CASE WHEN $16 THEN service_now() END, $17::text
      FROM account, jsonb_array_elements($15::jsonb) AS e),
    mails AS (${mailInsertFrom('account', '$18', 'id')}),
    audit AS (${auditInsertForEach(19, { accountId: 'id', from: 'account' })}),
    s AS (INSERT INTO sessions ${SESSION_COLUMNS} SELECT id, ${SESSION_VALUES} FROM account RETURNING *)
    ${last}
    SELECT ${list} FROM s`,
    name,
  )
const REGISTER = registering('register')

/**
 * Also stores the session as the outcome of the request with the Idempotency-Key `$23` and the claim `$24`. Returns no row if
 * another request has taken the key over.
 */
const REGISTER_ONCE = registering('register-once', {
  first: `claimed AS (
      SELECT 1 FROM idempotency_keys WHERE id = $23 AND claim = $24::uuid AND finished_at IS NULL FOR UPDATE),`,
  condition: 'AND EXISTS (SELECT 1 FROM claimed)',
  last: `, finished AS (
      UPDATE idempotency_keys k SET finished_at = service_now(), session_id = s.id FROM s WHERE k.id = $23 AND k.claim = $24::uuid)`,
})
