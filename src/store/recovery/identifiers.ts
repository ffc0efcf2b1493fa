// The e-mail address and the phone number of an account, and those that they have replaced. Until a younger one has ended its waiting
// period, it can be that of a thief: a revocation restores the former one, unless the session that made the change asks for it. The
// former one also recovers the account.
import { LIMITS } from '../../../generated/limits.ts'
import type { Assigned } from '../../database/composed.ts'
import { execute } from '../../database/sql.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { Change } from '../changes.ts'
import { HAS_ESTABLISHED_FACTOR } from '../factors/state.ts'
import { firstSessionOf } from '../sessions/begin.ts'

/** The waiting period of an identifier that has replaced another one */
export const HOLD_PERIOD = `interval '${LIMITS.recovery.hold_hours} hours'`

/** How long a change of an identifier, and a reset by phone, can be undone */
export const UNDO_PERIOD = `interval '${LIMITS.email.undo_days} days'`

/**
 * The time by which an address must have been verified to count beside a number: before the number, or the days of an undo ago. A
 * younger one may be that of a thief.
 */
export const settledBeside = (phoneVerifiedAt: string): string =>
  `greatest(${phoneVerifiedAt}, service_now() - ${UNDO_PERIOD})`

/**
 * Whether the account `a` has a former address, and its present one has not ended its waiting period. An operator can have imported
 * the address for another account meanwhile.
 */
export const HAS_FORMER_EMAIL = `(coalesce(a.former_email_until > service_now(), false)
  AND (a.email_recovers_from IS NULL OR a.email_recovers_from > service_now())
  AND NOT EXISTS (SELECT FROM accounts o WHERE o.email = a.former_email AND o.id <> a.id))`

/**
 * Whether the account `a` has a number or an established factor. An address that only a link without a session has verified can be that
 * of a person whose address another one has registered: beside them, it needs a code to the number, or only releases itself.
 */
export const HAS_NUMBER_OR_FACTOR = `(a.phone_verified_at IS NOT NULL OR ${HAS_ESTABLISHED_FACTOR}
  OR EXISTS (SELECT FROM former_phones fp WHERE fp.account_id = a.id AND fp.recovers_until > service_now()))`

const STATE = ['email', 'email_verified_at', 'email_by_link', 'email_recovers_from', 'email_changed_at'] as const

/** The stored column of a former address, which a version without the column can have left out */
const former = (name: (typeof STATE)[number]): string =>
  name === 'email_by_link' ? 'coalesce(a.former_email_by_link, false)' : `a.former_${name}`

/**
 * Returns a column of the address of the account `a`. One in its waiting period can be that of a thief, and the one before it counts.
 */
export const beforeWaiting = (name: (typeof STATE)[number]): string =>
  `CASE WHEN ${HAS_FORMER_EMAIL} THEN ${former(name)} ELSE a.${name} END`

/** Whether the former address of the account `a` could recover it when it was replaced, and so still does */
export const FORMER_EMAIL_RECOVERS = `a.status = 'active' AND ${HAS_FORMER_EMAIL}
  AND NOT (coalesce(a.former_email_by_link, false) AND ${HAS_NUMBER_OR_FACTOR})
  AND a.former_email_verified_at IS NOT NULL AND a.former_email_recovers_from <= service_now()`

/** How long after the registration a wrong address is corrected rather than replaced */
const CORRECTION_PERIOD = `interval '1 hour'`

/** What a change of the address also writes. Of several changes in the waiting period, the first address is kept. */
export const KEEP_FORMER_EMAIL: Assigned = {
  ...Object.fromEntries(STATE.map((name) => [`former_${name}`, beforeWaiting(name)])),
  former_email_until: `CASE WHEN ${HAS_FORMER_EMAIL} OR a.email_verified_at IS NOT NULL
    OR a.created_at < service_now() - ${CORRECTION_PERIOD} THEN service_now() + ${HOLD_PERIOD} END`,
}

const KEPT = Object.entries(KEEP_FORMER_EMAIL).map(([column, value]) => `${column} = ${value}`)
/** Stores the address of the account `$1` as its former one, before another one replaces it. */
export const STORE_FORMER_EMAIL = `UPDATE accounts a SET ${KEPT.join(', ')} WHERE a.id = $1`

/** Forgets the former addresses that can no longer come back. */
export const FORGET_FORMER_EMAILS = `UPDATE accounts SET ${STATE.map((name) => `former_${name} = NULL`).join(', ')}
  WHERE former_email IS NOT NULL AND coalesce(former_email_until < now(), true)`

/** Restores the former address of the account `a` if there is one, and another session than the asking one has replaced it. */
export function restoreFormerEmail(asking: string | undefined, otherwise: Assigned): Assigned {
  const isByOther = asking === undefined ? '' : ` AND a.email_changed_by IS DISTINCT FROM ${asking}`
  const condition = `${HAS_FORMER_EMAIL}${isByOther}`
  const restored = STATE.map(
    (name) => [name, `CASE WHEN ${condition} THEN ${former(name)} ELSE ${otherwise[name] ?? `a.${name}`} END`] as const,
  )
  const until = `CASE WHEN ${condition} THEN NULL ELSE a.former_email_until END`
  return { ...Object.fromEntries(restored), former_email_until: until }
}

/** The placeholder address of the account `a` that loses its own. A part is random, so it cannot be registered before. */
export const RELEASED_EMAIL = `'account-' || a.id || '-' || left(gen_random_uuid()::text, 8) || '@released.invalid'`

/** Verifies the address of an account, which then recovers it at once, whatever suspends it later. */
export const VERIFY_EMAIL: Assigned = {
  email_verified_at: 'service_now()',
  email_by_link: 'false',
  email_recovers_from: 'service_now()',
  former_email_until: 'NULL',
}

/**
 * Whether the number of the account `a` replaced another one and does not recover the account yet. Like a pending address, it
 * may be that of an attacker.
 */
export const IS_PENDING_PHONE = `a.phone_changed_at > service_now() - ${HOLD_PERIOD} AND a.phone_recovers_from > service_now()`

type NewPhone = Readonly<{ e164: string; code: string; isVerified: boolean }>

/**
 * Sets the number `$2` with the calling code `$3` of the account `$1`, for the session `$5`; `$4` is whether it is verified. An
 * old number that recovers the account does so for another period. The new one recovers it after this period, unless it already
 * does. The first number of an account replaces none.
 */
const CHANGE_PHONE = `
  WITH old AS (SELECT id, phone, phone_code, phone_verified_at, phone_recovers_from FROM accounts WHERE id = $1),
  back AS (SELECT 1 FROM former_phones WHERE phone = $2 AND account_id = $1 AND recovers_until > service_now()),
  former AS (
    INSERT INTO former_phones (phone, phone_code, account_id, verified_at, recovers_until)
    SELECT phone, phone_code, id, phone_verified_at, service_now() + ${HOLD_PERIOD} FROM old
    WHERE phone <> $2 AND phone_verified_at IS NOT NULL AND phone_recovers_from <= service_now()
    ON CONFLICT (phone) DO UPDATE SET phone_code = excluded.phone_code, account_id = excluded.account_id,
      verified_at = excluded.verified_at, recovers_until = excluded.recovers_until),
  outdated AS (DELETE FROM former_phones WHERE phone = $2 AND $4)
  UPDATE accounts a SET phone = $2, phone_code = $3, phone_changed_by = ${firstSessionOf('$5')},
    phone_verified_at = CASE WHEN $4 THEN service_now() END,
    phone_recovers_from = CASE
      WHEN NOT $4 THEN NULL
      WHEN EXISTS (SELECT 1 FROM back) THEN service_now()
      WHEN old.phone = $2 AND old.phone_recovers_from IS NOT NULL THEN old.phone_recovers_from
      ELSE service_now() + ${HOLD_PERIOD} END,
    phone_changed_at = CASE
      WHEN EXISTS (SELECT 1 FROM back) THEN a.phone_changed_at
      WHEN old.phone = $2 AND (old.phone_recovers_from IS NOT NULL OR a.phone_changed_at IS NULL) THEN a.phone_changed_at
      ELSE service_now() END
  FROM old WHERE a.id = old.id`

/** Stores the number of an account that the transaction has locked. It may be the stored number, to verify it. */
export async function changePhone(
  { transaction }: Change,
  { accountId, sessionId }: Bearer,
  { e164, code, isVerified }: NewPhone,
): Promise<void> {
  await execute(transaction, CHANGE_PHONE, accountId, e164, code, isVerified, sessionId)
}

const FORMER_PHONE = (column: string): string => `(
  SELECT ${column} FROM former_phones f WHERE f.account_id = a.id AND f.recovers_until > service_now()
    AND NOT EXISTS (SELECT FROM accounts o WHERE o.phone = f.phone AND o.phone_verified_at IS NOT NULL)
  ORDER BY f.recovers_until LIMIT 1)`

/**
 * Restores the former number if the present one is pending, unless the asking session has changed it. Without a former one, the number is
 * no longer verified.
 */
export function endPendingPhone(asking: string | undefined, otherwise: Assigned): Assigned {
  const isByOther = asking === undefined ? '' : ` AND a.phone_changed_by IS DISTINCT FROM ${asking}`
  const unless = (column: string, value: string): [string, string] => [
    column,
    `CASE WHEN ${IS_PENDING_PHONE}${isByOther} THEN ${value} ELSE ${otherwise[column] ?? `a.${column}`} END`,
  ]
  return Object.fromEntries([
    unless('phone', `coalesce(${FORMER_PHONE('f.phone')}, a.phone)`),
    unless('phone_code', `coalesce(${FORMER_PHONE('f.phone_code')}, a.phone_code)`),
    unless('phone_verified_at', FORMER_PHONE('f.verified_at')),
    unless('phone_recovers_from', FORMER_PHONE('service_now()')),
  ])
}
