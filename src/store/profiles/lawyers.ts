import { isDeepStrictEqual } from 'node:util'
import { differs, insertion, overwrites, type Bind, type Part } from '../../database/composed.ts'
import type { Lawyer, LawyerDetails } from '../../domain/profiles/profile.ts'
import { toLawyerRow } from './rows.ts'

/** The data of a lawyer, with what is stored of it. */
export type LawyerWrite = Readonly<{
  details: LawyerDetails
  stored: Lawyer | undefined
  /** Whether the change makes the lawyer pending again */
  isReset: boolean
}>

/** The part that inserts the first data of a lawyer */
export const NEW_LAWYER = 'new_lawyer'

/**
 * Returns the parts of a statement that write the data of the account in its part `target`. Licences and languages are
 * replaced if they differ from the stored ones.
 */
export function lawyerParts(write: LawyerWrite, bind: Bind): Part[] {
  const { details, stored } = write
  return [
    { name: stored ? 'lawyer' : NEW_LAWYER, sql: lawyerSql(write, bind) },
    ...(isDeepStrictEqual({ ...details.licences }, stored?.licences ?? {}) ? [] : licenceParts(details, bind)),
    ...(isDeepStrictEqual(sorted(details.languages), stored?.languages ?? []) ? [] : languageParts(details, bind)),
  ]
}

const PENDING = `review_status = 'pending', review_reason = NULL, review_version = l.review_version + 1`

/** Returns an upsert that returns a row if it has changed an existing one. */
function lawyerSql(write: LawyerWrite, bind: Bind): string {
  const row = toLawyerRow(write.details)
  const { columns, values } = insertion(row, bind)
  const insert = `INSERT INTO lawyer_profiles AS l (account_id, ${columns}) SELECT account_id, ${values} FROM target`
  if (!write.stored) return `${insert} ON CONFLICT (account_id) DO UPDATE SET ${overwrites(row)}`
  const change = write.isReset ? `, ${PENDING}` : ` WHERE ${differs('l', row)}`
  return `${insert} ON CONFLICT (account_id) DO UPDATE SET ${overwrites(row)}${change} RETURNING 1`
}

// The count makes an insert run after the deletion, because the new rows may have the keys of deleted ones.

function licenceParts({ licences }: LawyerDetails, bind: Bind): Part[] {
  const ids = bind(Object.keys(licences).map(Number))
  const numbers = bind(Object.values(licences))
  const dropped = `DELETE FROM lawyer_licences l USING target t WHERE l.account_id = t.account_id RETURNING 1`
  const added = `
    INSERT INTO lawyer_licences (account_id, section_id, licence_no)
    SELECT t.account_id, n.* FROM target t, unnest(${ids}::int[], ${numbers}::text[]) AS n
    WHERE (SELECT count(*) FROM dropped_licences) >= 0 RETURNING 1`
  return [
    { name: 'dropped_licences', sql: dropped },
    { name: 'added_licences', sql: added },
  ]
}

function languageParts({ languages }: LawyerDetails, bind: Bind): Part[] {
  const dropped = `DELETE FROM lawyer_languages l USING target t WHERE l.account_id = t.account_id RETURNING 1`
  const added = `
    INSERT INTO lawyer_languages (account_id, language_id)
    SELECT t.account_id, n FROM target t, unnest(${bind(languages)}::int[]) AS n
    WHERE (SELECT count(*) FROM dropped_languages) >= 0 RETURNING 1`
  return [
    { name: 'dropped_languages', sql: dropped },
    { name: 'added_languages', sql: added },
  ]
}

function sorted(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b)
}
