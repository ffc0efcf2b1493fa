import type { Prisma } from '../../generated/prisma/client.ts'
import { LIMITS } from '../../generated/limits.ts'
import type { Identity } from '../domain/national-id.ts'

const MAX = LIMITS.administration.duplicates_max
const DIGITS = { from: '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', to: '01234567890123456789' }

/** Both expressions are those of the indexes `*_duplicates_idx`: another spelling would make each lookup read all rows. */
const nationalId = (row: string): string => `upper(${row}.national_id)`
/** Without spaces, which `translate` removes because they have no counterpart */
const licenceNo = (row: string): string => `upper(translate(${row}.licence_no, '${DIGITS.from} ', '${DIGITS.to}'))`

/**
 * The ids of other accounts with the same national ID or a licence of the same section and number as the lawyer `l`, as
 * JSON. Each lookup reads at most as many rows of an index as there are ids in the result.
 */
export const DUPLICATE_OF = `(
  SELECT coalesce(json_agg(found.id ORDER BY found.id), '[]') FROM (
    (SELECT o.account_id AS id FROM lawyer_profiles o
      WHERE ${nationalId('o')} = ${nationalId('l')} AND o.account_id <> l.account_id
      ORDER BY o.account_id LIMIT ${MAX})
    UNION
    (SELECT same.account_id FROM lawyer_licences own CROSS JOIN LATERAL (
        SELECT o.account_id FROM lawyer_licences o
        WHERE o.section_id = own.section_id AND ${licenceNo('o')} = ${licenceNo('own')} AND o.account_id <> l.account_id
        ORDER BY o.account_id LIMIT ${MAX}) same
      WHERE own.account_id = l.account_id)
    ORDER BY id LIMIT ${MAX}) found)`

const FINDINGS = `
  SELECT l.national_id AS "nationalId", l.identity_type AS "identityType", ${DUPLICATE_OF} AS "duplicateOf"
  FROM lawyer_profiles l WHERE l.account_id = $1`

/** What a reviewer is shown of the identity of a lawyer, as of now */
export type Credentials = Identity & { duplicateOf: number[] }

export async function credentialsOf(transaction: Prisma.TransactionClient, id: number): Promise<Credentials> {
  const [found] = await transaction.$queryRawUnsafe<Credentials[]>(FINDINGS, id)
  if (!found) throw new Error('a lawyer who is reviewed has no data')
  return found
}
