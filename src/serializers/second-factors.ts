import type { components } from '../../generated/types.ts'
import type { ListedFactors } from '../domain/factors/second-factor.ts'

/** Returns the second factors of an account as its owner sees them. */
export function serializeFactors({
  totpConfirmedAt,
  recoveryCodesLeft,
}: ListedFactors): components['schemas']['SecondFactors'] {
  return { totp_added_at: totpConfirmedAt?.toISOString() ?? null, recovery_codes_left: recoveryCodesLeft }
}
