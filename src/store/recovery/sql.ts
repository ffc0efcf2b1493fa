// The identifiers that recover an account. `$1` is the number of seconds that the service is ahead of the database.
import { LIMITS } from '../../../generated/limits.ts'
import { column, onlyIf, select, table, type Columns } from '../../database/columns.ts'
import { NOW } from '../../database/now.ts'
import { query } from '../../database/query.ts'
import { OWNER, type OwnerRow } from '../accounts/owner.ts'
import { MAIL_ASSIGNMENTS, mailRecords } from '../mails/rows.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'

/** The account and its e-mail address */
export type Recovered = Readonly<{ id: number; email: string }>

const HOLD_PERIOD = `interval '${LIMITS.recovery.hold_hours} hours'`

/** An unverified address recovers the account `a` together with a code, a verified one after its waiting period. */
const EMAIL_RECOVERS = `a.status = 'active' AND (a.email_verified_at IS NULL OR a.email_recovers_from <= ${NOW})`
const PHONE_RECOVERS = `a.status = 'active' AND a.phone_verified_at IS NOT NULL AND a.phone_recovers_from <= ${NOW}`

const a = table('Account', 'a')

/** `phone` is null if no number recovers the account. */
export type RecoverableRow = Omit<RecoverableAccount, 'phone'> & { phone: string | null; phoneCode: string }

const RECOVERABLE_COLUMNS: Columns<RecoverableRow> = {
  id: a.id,
  email: a.email,
  needsCode: column('a.email_verified_at IS NULL'),
  phone: onlyIf(PHONE_RECOVERS, a.phone),
  phoneCode: a.phoneCode,
}
const RECOVERABLE = select(RECOVERABLE_COLUMNS)

export const BY_EMAIL = query(
  RECOVERABLE,
  (list) => `SELECT ${list} FROM accounts a WHERE a.email = $2 AND ${EMAIL_RECOVERS}`,
)

/**
 * Stores a token, and replaces the request `$5`, which was taken at `$6`, by the e-mail `$7` with the token. `$2` is the
 * account, `$3` the hash of the token, `$4` the address that it is sent to.
 */
export const ADD_TOKEN = `
  WITH target AS (
    SELECT a.id FROM accounts a WHERE a.id = $2 AND a.email = $4 AND ${EMAIL_RECOVERS} FOR SHARE),
  replaced AS (
    UPDATE mail_outbox o SET ${MAIL_ASSIGNMENTS} FROM target, ${mailRecords('$7')}
    WHERE o.id = $5 AND o.last_attempt_at = $6 RETURNING target.id)
  INSERT INTO password_resets (account_id, token_hash, expires_at)
  SELECT id, $3, ${NOW} + interval '${LIMITS.reset.minutes} minutes' FROM replaced`

const BY_TOKEN_SQL = (list: string, join = ''): string => `
  SELECT ${list} FROM password_resets r JOIN accounts a ON a.id = r.account_id ${join}
  WHERE r.token_hash = $2 AND r.expires_at > ${NOW} AND ${EMAIL_RECOVERS}`

export const BY_TOKEN = query(
  select<RecoverableRow & OwnerRow>({ ...RECOVERABLE_COLUMNS, ...OWNER }),
  (list) => BY_TOKEN_SQL(list, 'LEFT JOIN profiles p ON p.account_id = a.id'),
  'by-reset-token',
)

const BY_PHONE_SQL = (list: string): string => `
  SELECT ${list} FROM accounts a WHERE a.phone = $2 AND ${PHONE_RECOVERS}`

/** A former number recovers the account, unless another account has verified the number. */
const BY_FORMER_PHONE_SQL = (list: string): string => `
  SELECT ${list} FROM former_phones f JOIN accounts a ON a.id = f.account_id
  WHERE f.phone = $2 AND f.recovers_until > ${NOW} AND a.status = 'active'
    AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.phone = $2 AND o.phone_verified_at IS NOT NULL)`

export const HAS_PHONE = query(
  select<{ isFound: boolean }>({
    isFound: column(`(EXISTS (${BY_PHONE_SQL('1')}) OR EXISTS (${BY_FORMER_PHONE_SQL('1')}))`),
  }),
  (list) => `SELECT ${list}`,
)

/** These lock the account, and its token, until the end of the transaction. */
export const LOCK_BY_TOKEN = query(
  RECOVERABLE,
  (list) => `${BY_TOKEN_SQL(list)} FOR UPDATE OF a, r`,
  'lock-by-reset-token',
)
const RECOVERED = select<Recovered>({ id: a.id, email: a.email })
export const LOCK_BY_PHONE = query(RECOVERED, (list) => `${BY_PHONE_SQL(list)} FOR UPDATE OF a`, 'lock-by-phone')
export const LOCK_BY_FORMER_PHONE = query(RECOVERED, (list) => `${BY_FORMER_PHONE_SQL(list)} FOR UPDATE OF a`)

/** Restores the former number `$3` of the account `$2`, with its earlier verification time. */
export const RESTORE_PHONE = `
  UPDATE accounts a SET phone = f.phone, phone_code = f.phone_code, phone_verified_at = f.verified_at,
    phone_recovers_from = ${NOW}
  FROM former_phones f WHERE a.id = $2 AND f.account_id = a.id AND f.phone = $3`

/** The assignments that set a number unverified if it was verified at the time or later, over the account `a`. */
export function unverifyPhoneSince(time: string): string {
  const unless = (name: string): string =>
    `${name} = CASE WHEN a.phone_verified_at >= ${time} THEN NULL ELSE a.${name} END`
  return [unless('phone_recovers_from'), unless('phone_verified_at')].join(', ')
}

/** A number that was not verified before the address may belong to another person, so it becomes unverified. */
export const RESET_BY_EMAIL = unverifyPhoneSince('a.email_verified_at')

/** An address that was not verified before the number does not recover the account until it is verified again. */
export const RESET_BY_PHONE = `
  email_recovers_from = CASE WHEN a.email_verified_at >= a.phone_verified_at THEN NULL ELSE a.email_recovers_from END`

/** The placeholder address of the account `a` that loses its own. A part is random, so it cannot be registered before. */
export const RELEASED_EMAIL = `'account-' || a.id || '-' || left(gen_random_uuid()::text, 8) || '@released.invalid'`

/** The assignments that remove the address of the account `a`. */
export const releaseEmail = (now: string): string => `
  email = ${RELEASED_EMAIL}, pending_email = NULL, email_verified_at = NULL, email_recovers_from = NULL,
  email_changed_at = ${now}`

/** Verifies the address of the account `$2`, which then recovers it at once. */
export const VERIFY_EMAIL = `UPDATE accounts SET ${verifyEmail(NOW)} WHERE id = $2`

/** Returns the assignments that verify the address of an account. */
export function verifyEmail(now: string): string {
  return `email_verified_at = ${now}, email_recovers_from = ${now}`
}

/**
 * Sets the number `$3` with the calling code `$4` of the account `$2`; `$5` is whether it is verified. An old number
 * that recovers the account does so for another period. The new one recovers it after this period, unless it
 * already does.
 */
export const CHANGE_PHONE = `
  WITH old AS (SELECT id, phone, phone_code, phone_verified_at, phone_recovers_from FROM accounts WHERE id = $2),
  back AS (SELECT 1 FROM former_phones WHERE phone = $3 AND account_id = $2 AND recovers_until > ${NOW}),
  former AS (
    INSERT INTO former_phones (phone, phone_code, account_id, verified_at, recovers_until)
    SELECT phone, phone_code, id, phone_verified_at, ${NOW} + ${HOLD_PERIOD} FROM old
    WHERE phone <> $3 AND phone_verified_at IS NOT NULL AND phone_recovers_from <= ${NOW}
    ON CONFLICT (phone) DO UPDATE SET phone_code = excluded.phone_code, account_id = excluded.account_id,
      verified_at = excluded.verified_at, recovers_until = excluded.recovers_until),
  outdated AS (DELETE FROM former_phones WHERE phone = $3 AND $5)
  UPDATE accounts a SET phone = $3, phone_code = $4, phone_verified_at = CASE WHEN $5 THEN ${NOW} END,
    phone_recovers_from = CASE
      WHEN NOT $5 THEN NULL
      WHEN EXISTS (SELECT 1 FROM back) THEN ${NOW}
      WHEN old.phone = $3 AND old.phone_recovers_from IS NOT NULL THEN old.phone_recovers_from
      ELSE ${NOW} + ${HOLD_PERIOD} END
  FROM old WHERE a.id = old.id`
