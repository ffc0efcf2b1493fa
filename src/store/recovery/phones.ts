import { execute, NOW, type Driver } from '../../database/query.ts'
import { cancelReset } from '../factors/state.ts'
import { HOLD_PERIOD } from './sql.ts'

type NewPhone = Readonly<{ e164: string; code: string; isVerified: boolean }>

/**
 * Sets the number `$3` with the calling code `$4` of the account `$2`; `$5` is whether it is verified. An old number
 * that recovers the account does so for another period. The new one recovers it after this period, unless it
 * already does. Another number cancels a pending reset of the second factors.
 */
const CHANGE_PHONE = `
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
      ELSE ${NOW} + ${HOLD_PERIOD} END,
    phone_changed_at = CASE
      WHEN EXISTS (SELECT 1 FROM back) OR old.phone = $3 AND old.phone_recovers_from IS NOT NULL THEN a.phone_changed_at
      ELSE ${NOW} END,
    factors_reset_at = CASE WHEN old.phone = $3 THEN a.factors_reset_at ELSE ${cancelReset(NOW)['factors_reset_at']} END
  FROM old WHERE a.id = old.id`

/**
 * Stores the number of an account that the transaction has locked. It may be the stored number, to verify it.
 *
 * @param shiftSeconds number of seconds that the clock of the service is ahead of the database
 */
export async function changePhone(
  transaction: Driver,
  accountId: number,
  { e164, code, isVerified }: NewPhone,
  shiftSeconds: number,
): Promise<void> {
  await execute(transaction, CHANGE_PHONE, shiftSeconds, accountId, e164, code, isVerified)
}
