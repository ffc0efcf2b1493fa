import type { Data } from '../contract/operation.ts'
import type { ListedFactors } from '../domain/factors/second-factor.ts'

/** Returns the second factors of an account as its owner sees them. */
export function serializeFactors({ totpConfirmedAt, recoveryCodesLeft, resetAt }: ListedFactors): Data<'getFactors'> {
  return {
    totp_added_at: totpConfirmedAt?.toISOString() ?? null,
    recovery_codes_left: recoveryCodesLeft,
    reset_at: resetAt?.toISOString() ?? null,
  }
}
