import { column, isNotNull, outerTable, table, type Columns } from '../../database/columns.ts'
import type { FactorOwner } from '../../domain/accounts/account.ts'
import type { ListedFactors, SecondFactors } from '../../domain/factors/second-factor.ts'

/** The columns of the second factors of an account `a`, joined with `JOIN_FACTORS` */
export type FactorsRow = Readonly<{
  factorsSince: Date | null
  totpSecret: Uint8Array<ArrayBuffer> | null
  totpLastStep: number | null
  recoveryCodes: Uint8Array<ArrayBuffer>[] | null
}>

const a = table('Account', 'a')
export const OWNER: Columns<FactorOwner> = {
  accountId: a.id,
  email: a.email,
  emailVerified: isNotNull(a.emailVerifiedAt),
  phone: a.phone,
  phoneCode: a.phoneCode,
  phoneVerified: isNotNull(a.phoneVerifiedAt),
}

/** Whether the account `a` has a second factor */
export const HAS_FACTOR = isNotNull(a.factorsSince)

const f = outerTable('SecondFactors', 'f')

export const FACTORS: Columns<FactorsRow> = {
  factorsSince: a.factorsSince,
  totpSecret: f.totpSecret,
  totpLastStep: f.totpLastStep,
  recoveryCodes: f.recoveryCodes,
}
export const LISTED_FACTORS: Columns<ListedFactors> = {
  totpConfirmedAt: f.totpConfirmedAt,
  recoveryCodesLeft: column('coalesce(cardinality(f.recovery_codes), 0)'),
}
export const JOIN_FACTORS = 'LEFT JOIN second_factors f ON f.account_id = a.id'

/** Returns the second factors of an account that has any. A secret that waits to be confirmed is none. */
export function toSecondFactors(row: FactorsRow): SecondFactors {
  const { totpSecret: sealed, totpLastStep: lastStep, recoveryCodes } = row
  return { totp: sealed && { sealed, lastStep: lastStep ?? 0 }, recoveryCodes: recoveryCodes ?? [] }
}
