import { LIMITS } from '../../../generated/limits.ts'
import { column, type Column } from '../../database/sql.ts'

const MAX = LIMITS.administration.duplicates_max
const DIGITS = { from: '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', to: '01234567890123456789' }

/** Both expressions must match those of the indexes `*_duplicates_idx`. Otherwise each lookup reads all rows. */
const nationalId = (row: string): string => `upper(${row}.national_id)`
/** `translate` removes spaces, as they have no counterpart. */
const licenceNo = (row: string): string => `upper(translate(${row}.licence_no, '${DIGITS.from} ', '${DIGITS.to}'))`

/**
 * The ids of other accounts with the same national ID as the lawyer `l`, or with the same licence number in the same
 * section. Each lookup reads at most MAX rows of an index.
 */
export const DUPLICATE_IDS: Column<number[]> = column(`(
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
    ORDER BY id LIMIT ${MAX}) found)`)
