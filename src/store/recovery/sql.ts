// The identifiers that recover an account.
import { LIMITS } from '../../../generated/limits.ts'
import { column, isNotNull, onlyIf, query, select, table, type Columns } from '../../database/sql.ts'
import { OWNER, type OwnerRow } from '../accounts/credentials.ts'
import {
  beforeWaiting,
  FORMER_EMAIL_RECOVERS,
  HAS_FORMER_EMAIL,
  HAS_NUMBER_OR_FACTOR,
  settledBeside,
} from './identifiers.ts'
import { MAIL_ASSIGNMENTS, mailRecords } from '../mails/rows.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'

/** The account and its e-mail address */
export type Recovered = Readonly<{ id: number; email: string }>

/** When the password is reset, the number of the account, verified or not, and whether factors are stored */
export type Resetting = Readonly<{
  now: Date
  number: string
  hasFactors: boolean
  /** When the address was verified, or the one before it if that still counts */
  emailVerifiedAt: Date | null
  phoneVerifiedAt: Date | null
}>

/** An account whose password is reset by phone */
export type Resettable = Recovered & Resetting

/** An account whose password is reset by e-mail, with its verified number and calling code */
export type ResettableByToken = Recovered &
  Resetting &
  Readonly<{ verifiedPhone: string | null; phoneCode: string; hasFormer: boolean }>

/** An unverified address recovers the account `a` together with a code, a verified one after its waiting period. */
export const EMAIL_RECOVERS = `a.status = 'active' AND (a.email_verified_at IS NULL OR a.email_recovers_from <= service_now())`
export const PHONE_RECOVERS = `a.status = 'active' AND a.phone_verified_at IS NOT NULL AND a.phone_recovers_from <= service_now()`

/** Whether the address of the account `a` resets the password with a code to its number only */
const NEEDS_CODE = `(a.email_verified_at IS NULL OR a.email_by_link AND ${HAS_NUMBER_OR_FACTOR})`

const a = table('Account', 'a')

/** `phone` is null if no number recovers the account. */
export type RecoverableRow = Omit<RecoverableAccount, 'phone'> & { phone: string | null; phoneCode: string }

export function toRecoverable({ id, email, needsCode, phone, phoneCode }: RecoverableRow): RecoverableAccount {
  return { id, email, needsCode, phone: phone === null ? undefined : { e164: phone, callingCode: phoneCode } }
}

/** Returns the columns of an account that an address recovers. It can be the former one. */
const recoverable = (address: string): Columns<RecoverableRow> => ({
  id: a.id,
  email: column(address),
  needsCode: column(`a.email = ${address} AND ${NEEDS_CODE}`),
  phone: onlyIf(PHONE_RECOVERS, a.phone),
  phoneCode: a.phoneCode,
})
const recovers = (address: string): string =>
  `(a.email = ${address} AND ${EMAIL_RECOVERS} OR a.former_email = ${address} AND ${FORMER_EMAIL_RECOVERS})`

export const BY_EMAIL = query(
  recoverable('$1::text'),
  (list) => `SELECT ${list} FROM accounts a WHERE ${recovers('$1::text')}`,
)

/**
 * Stores a token, and replaces the request `$4`, which was taken at `$5`, by the e-mail `$6` with the token. `$1` is the
 * account, `$2` the hash of the token, `$3` the address that it is sent to.
 */
export const ADD_TOKEN = `
  WITH target AS (
    SELECT a.id FROM accounts a WHERE a.id = $1 AND ${recovers('$3::text')} FOR SHARE),
  replaced AS (
    UPDATE mail_outbox o SET ${MAIL_ASSIGNMENTS} FROM target, ${mailRecords('$6')}
    WHERE o.id = $4 AND o.last_attempt_at = $5 RETURNING target.id)
  INSERT INTO password_resets (account_id, token_hash, email, expires_at)
  SELECT id, $2, $3, service_now() + interval '${LIMITS.reset.minutes} minutes' FROM replaced`

const OF_TOKEN = 'coalesce(r.email, a.email)'
const BY_TOKEN_SQL = (list: string, join = ''): string => `
  SELECT ${list} FROM password_resets r JOIN accounts a ON a.id = r.account_id ${join}
  WHERE r.token_hash = $1 AND r.expires_at > service_now() AND ${recovers(OF_TOKEN)}`

export const BY_TOKEN = query<RecoverableRow & OwnerRow>(
  { ...OWNER, ...recoverable(OF_TOKEN) },
  (list) => BY_TOKEN_SQL(list, 'LEFT JOIN profiles p ON p.account_id = a.id'),
  'by-reset-token',
)

const BY_PHONE_SQL = (list: string): string => `
  SELECT ${list} FROM accounts a WHERE a.phone = $1 AND ${PHONE_RECOVERS}`

/**
 * Whether a code alone resets the password of the account `a`. `$2` is whether a verified address is preferred: one that was verified
 * after the number only once the days to undo that are over.
 *
 * @param since when the number was verified, as an expression
 */
const phoneSuffices = (since: string): string => `NOT a.is_admin AND NOT ($2 AND ${EMAIL_RECOVERS}
  AND coalesce(a.email_verified_at <= ${settledBeside(since)}, false))`
const PHONE_SUFFICES = phoneSuffices('a.phone_verified_at')
const FORMER_PHONE_SUFFICES = phoneSuffices('f.verified_at')

/** A former number recovers the account, unless another account has verified the number. */
const BY_FORMER_PHONE_SQL = (list: string): string => `
  SELECT ${list} FROM former_phones f JOIN accounts a ON a.id = f.account_id
  WHERE f.phone = $1 AND f.recovers_until > service_now() AND a.status = 'active'
    AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.phone = $1 AND o.phone_verified_at IS NOT NULL)`

/** The account that a number recovers, and the identifier that its password is reset by; null if there is none */
export type ByPhone = Recovered & Readonly<{ by: 'phone' | 'email' | null }>

const by = (suffices: string): Columns<ByPhone> => ({
  id: a.id,
  email: a.email,
  by: column(
    `CASE WHEN ${suffices} THEN 'phone' WHEN a.email_verified_at IS NOT NULL AND ${EMAIL_RECOVERS} THEN 'email' END`,
  ),
})
const BY_FORMER_PHONE = BY_FORMER_PHONE_SQL(select(by(FORMER_PHONE_SUFFICES)).list)

export const BY_PHONE = query(
  by(PHONE_SUFFICES),
  (list) => `(${BY_PHONE_SQL(list)}) UNION ALL (${BY_FORMER_PHONE}) LIMIT 1`,
  'by-phone',
)

const RESETTING: Columns<Resetting> = {
  now: column('service_now()'),
  number: a.phone,
  hasFactors: isNotNull(a.factorsSince),
  emailVerifiedAt: column(beforeWaiting('email_verified_at')),
  phoneVerifiedAt: a.phoneVerifiedAt,
}

/** These lock the account, and its token, until the end of the transaction. */
export const LOCK_BY_TOKEN = query<RecoverableRow & ResettableByToken>(
  {
    ...recoverable(OF_TOKEN),
    verifiedPhone: onlyIf('a.phone_verified_at IS NOT NULL', a.phone),
    hasFormer: column(HAS_FORMER_EMAIL),
    ...RESETTING,
  },
  (list) => `${BY_TOKEN_SQL(list)} FOR UPDATE OF a, r`,
  'lock-by-reset-token',
)
const RESETTABLE: Columns<Resettable> = {
  id: a.id,
  email: column(`CASE WHEN ${HAS_FORMER_EMAIL} THEN a.former_email ELSE a.email END`),
  ...RESETTING,
}
export const LOCK_BY_PHONE = query(
  RESETTABLE,
  (list) => `${BY_PHONE_SQL(list)} AND ${PHONE_SUFFICES} FOR UPDATE OF a`,
  'lock-by-phone',
)
export const LOCK_BY_FORMER_PHONE = query(
  RESETTABLE,
  (list) => `${BY_FORMER_PHONE_SQL(list)} AND ${FORMER_PHONE_SUFFICES} FOR UPDATE OF a`,
)

/** Restores the former number `$2` of the account `$1`, with its earlier verification time. */
export const RESTORE_PHONE = query<Pick<Resetting, 'phoneVerifiedAt'>>(
  { phoneVerifiedAt: a.phoneVerifiedAt },
  (list) => `
  UPDATE accounts a SET phone = f.phone, phone_code = f.phone_code, phone_verified_at = f.verified_at,
    phone_recovers_from = service_now(), phone_changed_at = NULL
  FROM former_phones f WHERE a.id = $1 AND f.account_id = a.id AND f.phone = $2 RETURNING ${list}`,
)
