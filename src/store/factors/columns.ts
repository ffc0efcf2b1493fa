import { column, isNotNull, outerTable, table, type Columns } from '../../database/columns.ts'
import { jsonRows, jsonTime } from '../../database/json-columns.ts'
import type { FactorOwner } from '../../domain/accounts/account.ts'
import type { ListedPasskey } from '../../domain/factors/passkey.ts'
import type { ListedFactors, SecondFactors } from '../../domain/factors/second-factor.ts'

/** The columns of the second factors of an account `a`, joined with `JOIN_FACTORS` */
export type FactorsRow = Readonly<{
  factorsSince: Date | null
  totpSecret: Uint8Array<ArrayBuffer> | null
  totpLastStep: number | null
  recoveryCodes: Uint8Array<ArrayBuffer>[] | null
  hasPasskey: boolean
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
  hasPasskey: column(
    'CASE WHEN a.factors_since IS NULL THEN false ELSE EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id) END',
  ),
}
const k = table('Passkey', 'k')

export const LISTED_FACTORS: Columns<ListedFactors> = {
  passkeys: jsonRows<ListedPasskey>(
    {
      id: k.id,
      name: k.name,
      createdAt: jsonTime(k.createdAt),
      lastUsedAt: jsonTime(k.lastUsedAt),
      backedUp: k.backedUp,
    },
    'FROM passkeys k WHERE k.account_id = a.id ORDER BY k.created_at, k.id',
  ),
  totpConfirmedAt: f.totpConfirmedAt,
  recoveryCodesLeft: column('coalesce(cardinality(f.recovery_codes), 0)'),
}
export const JOIN_FACTORS = 'LEFT JOIN second_factors f ON f.account_id = a.id'

/** Returns the second factors of an account that has any. A secret that waits to be confirmed is none. */
export function toSecondFactors(row: FactorsRow): SecondFactors {
  const { totpSecret: sealed, totpLastStep: lastStep, recoveryCodes, hasPasskey } = row
  return { totp: sealed && { sealed, lastStep: lastStep ?? 0 }, recoveryCodes: recoveryCodes ?? [], hasPasskey }
}
