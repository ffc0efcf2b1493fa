import {
  column,
  isNotNull,
  pick,
  query,
  queryRow,
  table,
  type Column,
  type Columns,
  type RowOf,
  type Query,
} from '../../database/sql.ts'
import type { Change } from '../changes.ts'
import { IS_ENABLED, FACTORS_RESET_AT, FACTORS_SINCE } from '../factors/state.ts'
import { HAS_FORMER_EMAIL, IS_PENDING_PHONE } from '../recovery/identifiers.ts'
import type { Bearer, Contact, FactorOwner } from '../../domain/accounts/account.ts'
import { Failure } from '../../domain/failure.ts'
import { requireRecent, type SessionAge } from '../../domain/sessions/recent-authentication.ts'
import { AUTHENTICATION_AGE, BEARER, OF_BEARER } from '../sessions/state.ts'

/** An account whose row is locked until the end of the transaction */
export type LockedAccount = Contact &
  Readonly<{
    emailVerifiedAt: Date | null
    /** Whether a link without a session has verified the address, and no session since */
    emailByLink: boolean
    emailRecoversFrom: Date | null
    pendingEmail: string | null
    deletionDueAt: Date | null
    /** The current time of the service */
    now: Date
    /** Null without a second factor */
    factorsSince: Date | null
    /** When a pending reset ends the second factors; null if none is pending */
    factorsResetAt: Date | null
    factorsResetBySupport: boolean
    /** When the owner cancelled a reset of the present factors; null if none was */
    factorsKeptAt: Date | null
  }>

/** The account of the caller, with the age of its authentication, its password hash and the version of its profile */
export type LockedOwnAccount = LockedAccount &
  SessionAge &
  Readonly<{
    isAdmin: boolean
    /** Whether the second factors count for the operations of administrators */
    factorsVouched: boolean
    passwordHash: string
    profileVersion: number
    hasVerifiedContact: boolean
  }>

/** The same for a change of the second factors */
export type LockedFactorOwner = LockedOwnAccount & FactorOwner & Readonly<{ areFactorsEnabled: boolean }>

const a = table('Account', 'a')

export const CONTACT: Columns<Contact> = {
  accountId: a.id,
  ...pick(a, 'email', 'phone', 'phoneCode'),
  phoneVerified: isNotNull(a.phoneVerifiedAt),
}

/** Whether the account `a` has a verified contact that no revocation ends, and that recovers it beside a second factor */
export const HAS_VERIFIED_CONTACT: Column<boolean> = column(
  `(a.email_verified_at IS NOT NULL AND NOT a.email_by_link AND NOT ${HAS_FORMER_EMAIL}
    OR a.phone_verified_at IS NOT NULL AND (${IS_PENDING_PHONE}) IS NOT TRUE)`,
)

const LOCKED_ACCOUNT: Columns<LockedAccount> = {
  ...CONTACT,
  ...pick(a, 'emailVerifiedAt', 'emailByLink', 'emailRecoversFrom', 'pendingEmail', 'deletionDueAt'),
  now: column('service_now()'),
  factorsSince: FACTORS_SINCE,
  factorsResetAt: FACTORS_RESET_AT,
  factorsResetBySupport: a.factorsResetBySupport,
  factorsKeptAt: a.factorsKeptAt,
}

/**
 * Locks the session too. A statement that waits for the lock of the account alone would not see that the session has
 * ended in the meantime.
 */
function lockOwn<Row>(columns: Columns<Row>, name: string): Query<Row> {
  return query(
    columns,
    (list) => `
      SELECT ${list} FROM accounts a JOIN sessions s ON s.account_id = a.id
      WHERE ${OF_BEARER}
      FOR UPDATE OF a, s`,
    name,
  )
}

const OWN: Columns<LockedOwnAccount> = {
  ...LOCKED_ACCOUNT,
  ...AUTHENTICATION_AGE,
  ...pick(a, 'isAdmin', 'factorsVouched', 'passwordHash', 'profileVersion'),
  hasVerifiedContact: HAS_VERIFIED_CONTACT,
}
const LOCK = lockOwn(OWN, 'lock-own-account')

/** The addresses that the account `a` had before, and that can still undo the change */
export const PREVIOUS_EMAILS = column<string[]>(`ARRAY(
  SELECT DISTINCT e.email FROM email_tokens e
  WHERE e.account_id = a.id AND e.email <> a.email AND e.purpose = 'undo' AND e.expires_at > service_now())`)
const LOCK_FACTORS = lockOwn(
  { ...OWN, previousEmails: PREVIOUS_EMAILS, areFactorsEnabled: column<boolean>(IS_ENABLED) },
  'lock-own-factors',
)

/**
 * Locks the account of a token until the end of the transaction, and authorizes the change with what is locked.
 *
 * @throws Failure 401 `token_revoked` if the session was revoked or the account is suspended, 403
 * `reauthentication_required`
 */
export function lockAndAuthorizeAccount(change: Change, bearer: Bearer): Promise<LockedOwnAccount> {
  return runLock(change, LOCK, bearer)
}

/** Does the same for a change of the second factors, which is announced to the previous addresses as well. */
export function lockAndAuthorizeFactors(change: Change, bearer: Bearer): Promise<LockedFactorOwner> {
  return runLock(change, LOCK_FACTORS, bearer)
}

async function runLock<Row extends LockedOwnAccount>(
  { transaction }: Change,
  lock: Query<Row>,
  { accountId, sessionId, recent }: Bearer,
): Promise<Row> {
  const account = await queryRow(transaction, lock, accountId, sessionId)
  if (!account) throw new Failure('token_revoked')
  requireRecent(recent, account, account.factorsSince === null ? [] : ['second_factor'])
  return account
}

export const LOCKED_STATE = {
  ...LOCKED_ACCOUNT,
  ...pick(a, 'status', 'createdAt', 'emailChangedAt', 'pendingEmailBy', 'formerEmailVerifiedAt', 'phoneVerifiedAt'),
  ...pick(a, 'phoneRecoversFrom', 'phoneChangedAt'),
}
/** An account that is locked for a request that may have none of its sessions */
export type LockedAccountState = RowOf<typeof LOCKED_STATE>

const BY_ID = query(
  LOCKED_STATE,
  (list) => `SELECT ${list} FROM accounts a WHERE a.id = $1 FOR UPDATE OF a`,
  'lock-account',
)

/**
 * Locks an account by its id. Every change locks the account first, before its other rows, so that concurrent changes
 * cannot deadlock.
 */
export async function findAccountForUpdate(
  { transaction }: Change,
  accountId: number,
): Promise<LockedAccountState | undefined> {
  return queryRow(transaction, BY_ID, accountId)
}

/**
 * Returns whether the e-mail address is verified, with a session of the account, and not suspended from recovery by a reset through
 * the number.
 */
export function isEmailProven({ emailVerifiedAt, emailByLink, emailRecoversFrom }: LockedAccount): boolean {
  return emailVerifiedAt !== null && !emailByLink && emailRecoversFrom !== null
}

/** Returns whether a session is active. Its account must be locked, so that the session cannot end concurrently. */
export async function isLive({ transaction }: Change, { accountId, sessionId }: Bearer): Promise<boolean> {
  const statement = { name: 'is-session-live', text: BEARER, values: [accountId, sessionId] }
  return (await transaction.query(statement)).rowCount === 1
}
