// The address that a younger one has replaced. Until the younger one has ended its waiting period, it can be that of a thief: a
// revocation restores the former one, unless the session that made the change asks for it. The former one also recovers the account.
import type { Assigned } from '../../database/composed.ts'
import { HAS_ESTABLISHED_FACTOR } from '../factors/state.ts'
import { LIMITS } from '../../../generated/limits.ts'

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
export const HAS_FORMER = `(coalesce(a.former_email_until > service_now(), false)
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
  `CASE WHEN ${HAS_FORMER} THEN ${former(name)} ELSE a.${name} END`

/** Whether the former address of the account `a` could recover it when it was replaced, and so still does */
export const FORMER_RECOVERS = `a.status = 'active' AND ${HAS_FORMER}
  AND NOT (coalesce(a.former_email_by_link, false) AND ${HAS_NUMBER_OR_FACTOR})
  AND a.former_email_verified_at IS NOT NULL AND a.former_email_recovers_from <= service_now()`

/** What settles the present address of an account, whatever suspends it later */
export const SETTLED: Assigned = { former_email_until: 'NULL' }

/** How long after the registration a wrong address is corrected rather than replaced */
const CORRECTION_PERIOD = `interval '1 hour'`

/** What a change of the address also writes. Of several changes in the waiting period, the first address is kept. */
export const KEEP_FORMER: Assigned = {
  ...Object.fromEntries(STATE.map((name) => [`former_${name}`, beforeWaiting(name)])),
  former_email_until: `CASE WHEN ${HAS_FORMER} OR a.email_verified_at IS NOT NULL
    OR a.created_at < service_now() - ${CORRECTION_PERIOD} THEN service_now() + ${HOLD_PERIOD} END`,
}

const KEPT = Object.entries(KEEP_FORMER).map(([column, value]) => `${column} = ${value}`)
/** Stores the address of the account `$1` as its former one, before another one replaces it. */
export const STORE_FORMER = `UPDATE accounts a SET ${KEPT.join(', ')} WHERE a.id = $1`

/** Forgets the former addresses that can no longer come back. */
export const FORGET_FORMER = `UPDATE accounts SET ${STATE.map((name) => `former_${name} = NULL`).join(', ')}
  WHERE former_email IS NOT NULL AND coalesce(former_email_until < now(), true)`

/** Restores the former address of the account `a` if there is one, and another session than the asking one has replaced it. */
export function restoreFormer(asking: string | undefined, otherwise: Assigned): Assigned {
  const isByOther = asking === undefined ? '' : ` AND a.email_changed_by IS DISTINCT FROM ${asking}`
  const condition = `${HAS_FORMER}${isByOther}`
  const restored = STATE.map(
    (name) => [name, `CASE WHEN ${condition} THEN ${former(name)} ELSE ${otherwise[name] ?? `a.${name}`} END`] as const,
  )
  const until = `CASE WHEN ${condition} THEN NULL ELSE a.former_email_until END`
  return { ...Object.fromEntries(restored), former_email_until: until }
}
