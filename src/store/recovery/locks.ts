// What becomes of the identifiers of the account `a`.
import { execute, queryRow } from '../../database/sql.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { RecoverableAccount } from '../../domain/accounts/recovery.ts'
import {
  LOCK_BY_FORMER_PHONE,
  LOCK_BY_PHONE,
  LOCK_BY_TOKEN,
  RESTORE_PHONE,
  type RecoverableRow,
  type Resettable,
  type ResettableByToken,
} from './sql.ts'
import { HOLD_PERIOD, SETTLED } from './former-email.ts'
import type { Assigned } from '../../database/composed.ts'
import type { Change } from '../changes.ts'
import { firstSessionOf } from '../sessions/begin.ts'

/** Locks the account of a token, and the token. */
export async function lockByToken(
  { transaction }: Change,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<(RecoverableAccount & ResettableByToken) | undefined> {
  const row = await queryRow(transaction, LOCK_BY_TOKEN, tokenHash)
  return row && { ...row, ...toRecoverable(row) }
}

/** Locks the account that a number recovers, and restores the number if the account had it before. */
export async function lockByPhone(
  { transaction }: Change,
  { phone, prefersEmail }: { phone: string; prefersEmail: boolean },
): Promise<(Resettable & { isRestored?: true }) | undefined> {
  const own = await queryRow(transaction, LOCK_BY_PHONE, phone, prefersEmail)
  if (own) return own
  const former = await queryRow(transaction, LOCK_BY_FORMER_PHONE, phone, prefersEmail)
  if (!former) return undefined
  const restored = await queryRow(transaction, RESTORE_PHONE, former.id, phone)
  return restored && { ...former, ...restored, isRestored: true }
}

export function toRecoverable({ id, email, needsCode, phone, phoneCode }: RecoverableRow): RecoverableAccount {
  return { id, email, needsCode, phone: phone === null ? undefined : { e164: phone, callingCode: phoneCode } }
}

/**
 * Whether the number of the account `a` replaced another one and does not recover the account yet. Like a pending address, it
 * may be that of an attacker.
 */
export const IS_PENDING_PHONE = `a.phone_changed_at > service_now() - ${HOLD_PERIOD} AND a.phone_recovers_from > service_now()`

/** The placeholder address of the account `a` that loses its own. A part is random, so it cannot be registered before. */
export const RELEASED_EMAIL = `'account-' || a.id || '-' || left(gen_random_uuid()::text, 8) || '@released.invalid'`

/** Verifies the address of an account, which then recovers it at once. */
export const VERIFY_EMAIL: Assigned = {
  email_verified_at: 'service_now()',
  email_by_link: 'false',
  email_recovers_from: 'service_now()',
  ...SETTLED,
}

/** Suspends an identifier from recovery for the waiting period if a condition holds. */
export function suspendIf(identifier: 'email' | 'phone', condition: string): Assigned {
  const from = `a.${identifier}_recovers_from`
  const suspended = `CASE WHEN ${condition} THEN greatest(${from}, service_now() + ${HOLD_PERIOD}) ELSE ${from} END`
  return { [`${identifier}_recovers_from`]: `CASE WHEN ${from} IS NOT NULL THEN ${suspended} END` }
}

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
