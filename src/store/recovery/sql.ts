// Which identifiers recover an account. `$1` is by how many seconds the clock of the service is ahead of the database.
import { LIMITS } from '../../../generated/limits.ts'
import { NOW } from '../now.ts'

const HOLD = `interval '${LIMITS.recovery.hold_hours} hours'`

/** An address that was never verified recovers the account `a` with a code; one that was verified, once its time has come. */
const EMAIL_RECOVERS = `a.status = 'active' AND (a.email_verified_at IS NULL OR a.email_recovers_from <= ${NOW})`
const PHONE_RECOVERS = `a.status = 'active' AND a.phone_verified_at IS NOT NULL AND a.phone_recovers_from <= ${NOW}`

const RECOVERABLE = `a.id, a.email, a.email_verified_at IS NULL AS "needsCode", a.phone_code AS "phoneCode",
  CASE WHEN ${PHONE_RECOVERS} THEN a.phone END AS phone`

export const BY_EMAIL = `SELECT ${RECOVERABLE} FROM accounts a WHERE a.email = $2 AND ${EMAIL_RECOVERS}`

/** `$2` an account, `$3` the hash of a token, `$4` the e-mail address that it is sent to. */
export const ADD_TOKEN = `
  INSERT INTO password_resets (account_id, token_hash, expires_at)
  SELECT a.id, $3, ${NOW} + interval '${LIMITS.reset.minutes} minutes'
  FROM accounts a WHERE a.id = $2 AND a.email = $4 AND ${EMAIL_RECOVERS} FOR SHARE`

export const BY_TOKEN = `
  SELECT ${RECOVERABLE} FROM password_resets r JOIN accounts a ON a.id = r.account_id
  WHERE r.token_hash = $2 AND r.expires_at > ${NOW} AND ${EMAIL_RECOVERS}`

const BY_PHONE = `SELECT a.id, a.email FROM accounts a WHERE a.phone = $2 AND ${PHONE_RECOVERS}`

/** A number that the account had before recovers it, unless it has been verified by another account. */
const BY_FORMER_PHONE = `
  SELECT a.id, a.email FROM former_phones f JOIN accounts a ON a.id = f.account_id
  WHERE f.phone = $2 AND f.recovers_until > ${NOW} AND a.status = 'active'
    AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.phone = $2 AND o.phone_verified_at IS NOT NULL)`

export const HAS_PHONE = `SELECT EXISTS (${BY_PHONE}) OR EXISTS (${BY_FORMER_PHONE}) AS "isFound"`

/** The same, holding the account until the end of the transaction. */
export const HOLD_BY_TOKEN = `${BY_TOKEN} FOR UPDATE OF a`
export const HOLD_BY_PHONE = `${BY_PHONE} FOR UPDATE OF a`
export const HOLD_BY_FORMER_PHONE = `${BY_FORMER_PHONE} FOR UPDATE OF a`

/** The account `$2` gets the former number `$3` back, as it was proven then. */
export const RESTORE_PHONE = `
  UPDATE accounts a SET phone = f.phone, phone_code = f.phone_code, phone_verified_at = f.verified_at,
    phone_recovers_from = ${NOW}
  FROM former_phones f WHERE a.id = $2 AND f.account_id = a.id AND f.phone = $3`

/**
 * The account `$1` gets the password hash `$2` through its e-mail address. A number that was not proven before the address
 * may belong to another person: it is unverified until it is proven again.
 */
export const RESET_BY_EMAIL = `
  UPDATE accounts SET password_hash = $2,
    phone_recovers_from = CASE WHEN phone_verified_at >= email_verified_at THEN NULL ELSE phone_recovers_from END,
    phone_verified_at = CASE WHEN phone_verified_at >= email_verified_at THEN NULL ELSE phone_verified_at END
  WHERE id = $1`

/** The same through its phone number: an address that was not proven before it does not recover until it is proven again. */
export const RESET_BY_PHONE = `
  UPDATE accounts SET password_hash = $2,
    email_recovers_from = CASE WHEN email_verified_at >= phone_verified_at THEN NULL ELSE email_recovers_from END
  WHERE id = $1`

/** The address of an account that loses its own. A part of it is random, so that it cannot be registered before. */
export const RELEASED_EMAIL = `'account-' || id || '-' || left(gen_random_uuid()::text, 8) || '@released.invalid'`

export const RELEASE = `
  UPDATE accounts SET email = ${RELEASED_EMAIL}, pending_email = NULL,
    email_verified_at = NULL, email_recovers_from = NULL, email_changed_at = ${NOW}
  WHERE id = $2`

export const VERIFY_EMAIL = `
  UPDATE accounts SET email_verified_at = ${NOW}, email_recovers_from = ${NOW} WHERE id = $2`

/**
 * The account `$2` gets the number `$3` with the calling code `$4`; `$5` is whether it is verified. A number that recovered
 * the account goes on to do so for a while, and the new one begins to afterwards, unless it is one that still recovers it.
 */
export const CHANGE_PHONE = `
  WITH old AS (SELECT id, phone, phone_code, phone_verified_at, phone_recovers_from FROM accounts WHERE id = $2),
  back AS (SELECT 1 FROM former_phones WHERE phone = $3 AND account_id = $2 AND recovers_until > ${NOW}),
  kept AS (
    INSERT INTO former_phones (phone, phone_code, account_id, verified_at, recovers_until)
    SELECT phone, phone_code, id, phone_verified_at, ${NOW} + ${HOLD} FROM old
    WHERE phone <> $3 AND phone_verified_at IS NOT NULL AND phone_recovers_from <= ${NOW}
    ON CONFLICT (phone) DO UPDATE SET phone_code = excluded.phone_code, account_id = excluded.account_id,
      verified_at = excluded.verified_at, recovers_until = excluded.recovers_until),
  outdated AS (DELETE FROM former_phones WHERE phone = $3 AND $5)
  UPDATE accounts a SET phone = $3, phone_code = $4, phone_verified_at = CASE WHEN $5 THEN ${NOW} END,
    phone_recovers_from = CASE
      WHEN NOT $5 THEN NULL
      WHEN EXISTS (SELECT 1 FROM back) THEN ${NOW}
      WHEN old.phone = $3 AND old.phone_recovers_from IS NOT NULL THEN old.phone_recovers_from
      ELSE ${NOW} + ${HOLD} END
  FROM old WHERE a.id = old.id`

/** The number of the new account `$1` is verified since it exists; it recovers no other account any more. */
export const VERIFY_PHONE = `
  WITH outdated AS (DELETE FROM former_phones f USING accounts a WHERE a.id = $1 AND f.phone = a.phone)
  UPDATE accounts SET phone_verified_at = created_at, phone_recovers_from = created_at WHERE id = $1`
