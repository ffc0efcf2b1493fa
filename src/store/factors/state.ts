// Whether an account counts as having a second factor. A reset ends the factors at its time, without a job that deletes them, so
// every statement about factors uses these expressions.
import { column, onlyIf, table, type Column } from '../../database/sql.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'

const a = table('Account', 'a')

/** An operator enables second factors with a command, when no version runs that would ignore them. */
export const IS_ENABLED = `EXISTS (SELECT FROM enabled_features WHERE name = 'second-factors')`

/** Whether the account `a` has a second factor */
export const HAS_FACTOR = `(a.factors_since IS NOT NULL AND (a.factors_reset_at IS NULL OR a.factors_reset_at > service_now()))`

/** Whether the account `a` has an authenticator app or a passkey whose days to undo it are over */
export const HAS_ESTABLISHED_FACTOR = `(${HAS_FACTOR} AND (
  EXISTS (SELECT FROM second_factors f
    WHERE f.account_id = a.id AND f.totp_secret IS NOT NULL AND f.totp_established_at <= service_now())
  OR EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id AND p.established_at <= service_now())))`

/** Whether the account `a` has a second factor that counts for the operations of administrators */
export const HAS_VOUCHED_FACTOR: Column<boolean> = column(`(${HAS_FACTOR} AND a.factors_vouched)`)

/** When the account `a` got its first second factor; null without one */
export const FACTORS_SINCE: Column<Date | null> = onlyIf(HAS_FACTOR, a.factorsSince)

/** When a pending reset ends the second factors of the account `a`; null without one, and from that time on */
export const FACTORS_RESET_AT: Column<Date | null> = onlyIf(`a.factors_reset_at > service_now()`, a.factorsResetAt)

/** Cancels a pending reset of the account `a`. One that has taken effect remains. */
export const CANCEL_RESET = {
  factors_reset_at: `CASE WHEN a.factors_reset_at <= service_now() THEN a.factors_reset_at END`,
}

/** Returns the event of a pending reset that a change of an account cancels. */
export function cancelledReset<About extends Omit<AuditEvent, 'event'>>(
  { factorsResetAt }: { factorsResetAt: Date | null },
  about: About,
): (About & { event: 'factor_reset_cancelled' })[] {
  return factorsResetAt === null ? [] : [{ ...about, event: 'factor_reset_cancelled' }]
}

/**
 * Deletes the factors and the sessions that a reset has ended. The accounts are locked first, so that a new factor of one of them
 * remains: its request waits, or the account has no reset any more.
 */
export const DELETE_ENDED = `
  WITH due AS (SELECT id, factors_reset_at AS at FROM accounts WHERE factors_reset_at < now() FOR UPDATE),
  ended AS (
    UPDATE accounts a SET factors_since = NULL, factors_vouched = true,
      factors_reset_at = NULL, factors_reset_by_support = false, factors_kept_at = NULL
    FROM due WHERE a.id = due.id RETURNING a.id),
  ended_sessions AS (
    UPDATE sessions s SET ended_at = due.at FROM due
    WHERE s.account_id = due.id AND s.ended_at IS NULL AND s.created_at <= due.at),
  ended_passkeys AS (DELETE FROM passkeys p USING ended WHERE p.account_id = ended.id)
  DELETE FROM second_factors f USING ended WHERE f.account_id = ended.id`

/** The account has no reset of its second factors. */
export const NO_RESET = { factorsResetAt: null, factorsResetBySupport: false, factorsKeptAt: null } as const
/** The account has no second factor, and no reset. */
export const NO_FACTORS = { factorsSince: null, factorsVouched: true, ...NO_RESET } as const
