import { column, onlyIf, outerTable, pick, table, type Columns, type RowOf } from '../../database/sql.ts'
import { jsonRows, jsonTime } from '../../database/json-columns.ts'
import type { ExportedPasskey } from '../../domain/accounts/account-export.ts'
import type { ListedPasskey } from '../../domain/factors/passkey.ts'
import type { ListedFactors, SecondFactors } from '../../domain/factors/second-factor.ts'
import { FACTORS_RESET_AT, FACTORS_SINCE, HAS_FACTOR } from './state.ts'

const f = outerTable('SecondFactors', 'f')

/** The columns of the second factors of an account `a`, joined with `JOIN_FACTORS` */
export const FACTORS = {
  factorsSince: FACTORS_SINCE,
  ...pick(f, 'totpSecret', 'totpLastStep', 'recoveryCodes'),
  hasPasskey: column<boolean>(
    `CASE WHEN ${HAS_FACTOR} THEN EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id) ELSE false END`,
  ),
}
export type FactorsRow = RowOf<typeof FACTORS>

const p = table('Passkey', 'p')

export const LISTED_PASSKEY: Columns<ListedPasskey> = pick(p, 'id', 'name', 'createdAt', 'lastUsedAt', 'backedUp')
const JSON_PASSKEY = { ...LISTED_PASSKEY, createdAt: jsonTime(p.createdAt), lastUsedAt: jsonTime(p.lastUsedAt) }
const FROM_PASSKEYS = `FROM passkeys p WHERE p.account_id = a.id AND ${HAS_FACTOR} ORDER BY p.created_at, p.id`

/** The passkeys of an account for its export */
export const EXPORTED_PASSKEYS = jsonRows<ExportedPasskey>({ ...JSON_PASSKEY, aaguid: p.aaguid }, FROM_PASSKEYS)

export const LISTED_FACTORS: Columns<ListedFactors> = {
  passkeys: jsonRows<ListedPasskey>(JSON_PASSKEY, FROM_PASSKEYS),
  totpConfirmedAt: onlyIf(HAS_FACTOR, f.totpConfirmedAt),
  recoveryCodesLeft: column(`CASE WHEN ${HAS_FACTOR} THEN coalesce(cardinality(f.recovery_codes), 0) ELSE 0 END`),
  resetAt: FACTORS_RESET_AT,
}
export const JOIN_FACTORS = 'LEFT JOIN second_factors f ON f.account_id = a.id'

/** Returns the second factors of an account that has any. A secret that waits to be confirmed is none. */
export function toSecondFactors(row: FactorsRow): SecondFactors {
  const { totpSecret: sealed, totpLastStep: lastStep, recoveryCodes, hasPasskey } = row
  return { totp: sealed && { sealed, lastStep: lastStep ?? 0 }, recoveryCodes: recoveryCodes ?? [], hasPasskey }
}
