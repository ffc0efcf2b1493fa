import { isDeepStrictEqual } from 'node:util'
import { select } from '../../database/columns.ts'
import { insertion, overwrites, runComposed, withParts, type Bind, type Part } from '../../database/composed.ts'
import type { Executor } from '../../database/query.ts'
import type { FileKind } from '../../domain/files/file.ts'
import type { Lawyer, LawyerDetails } from '../../domain/profiles/profile.ts'
import { needsReview } from '../../domain/profiles/review.ts'
import { toLawyerRow } from './rows.ts'

/** The data of a lawyer, with what is stored of it. */
export type LawyerWrite = Readonly<{
  details: LawyerDetails
  stored: Lawyer | undefined
  /** The kinds of the files that the change adds or replaces */
  newFiles: readonly FileKind[]
}>

/** Writes the data of a lawyer in the transaction that has created the account. */
export async function writeLawyer(transaction: Executor, accountId: number, details: LawyerDetails): Promise<void> {
  await runComposed(transaction, select({}), (_, bind) => {
    const target = ['target', `SELECT ${bind(accountId)}::int AS account_id`] as const
    const write = { details, stored: undefined, newFiles: [] }
    return `${withParts([target, ...lawyerParts(write, bind)])} SELECT FROM target`
  })
}

/** Returns whether a change makes the lawyer pending again. */
export function isReviewDue({ details, stored, newFiles }: LawyerWrite): boolean {
  return stored !== undefined && needsReview(stored, details, newFiles)
}

/**
 * Returns the parts of a statement that write the data of the account in its part `target`. Licences and languages are
 * replaced if they differ from the stored ones. A change of reviewed fields makes the lawyer pending again.
 */
export function lawyerParts(write: LawyerWrite, bind: Bind): Part[] {
  const { details, stored } = write
  const row = toLawyerRow(details)
  const { columns, values } = insertion(row, bind)
  const lawyer = `
    INSERT INTO lawyer_profiles AS l (account_id, ${columns}) SELECT account_id, ${values} FROM target
    ON CONFLICT (account_id) DO UPDATE SET ${overwrites(row)}${isReviewDue(write) ? `, ${PENDING}` : ''}`
  return [
    ['lawyer', lawyer],
    ...(isDeepStrictEqual({ ...details.licences }, stored?.licences ?? {}) ? [] : licenceParts(details, bind)),
    ...(isDeepStrictEqual(sorted(details.languages), stored?.languages ?? []) ? [] : languageParts(details, bind)),
  ]
}

const PENDING = `review_status = 'pending', review_reason = NULL, review_version = l.review_version + 1`

// The count makes an insert run after the deletion, because the new rows may have the keys of deleted ones.

function licenceParts({ licences }: LawyerDetails, bind: Bind): Part[] {
  const ids = bind(Object.keys(licences).map(Number))
  const numbers = bind(Object.values(licences))
  return [
    ['dropped_licences', `DELETE FROM lawyer_licences l USING target t WHERE l.account_id = t.account_id RETURNING 1`],
    [
      'licences',
      `INSERT INTO lawyer_licences (account_id, section_id, licence_no)
      SELECT t.account_id, n.* FROM target t, unnest(${ids}::int[], ${numbers}::text[]) AS n
      WHERE (SELECT count(*) FROM dropped_licences) >= 0`,
    ],
  ]
}

function languageParts({ languages }: LawyerDetails, bind: Bind): Part[] {
  return [
    [
      'dropped_languages',
      `DELETE FROM lawyer_languages l USING target t WHERE l.account_id = t.account_id RETURNING 1`,
    ],
    [
      'languages',
      `INSERT INTO lawyer_languages (account_id, language_id)
      SELECT t.account_id, n FROM target t, unnest(${bind(languages)}::int[]) AS n
      WHERE (SELECT count(*) FROM dropped_languages) >= 0`,
    ],
  ]
}

function sorted(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b)
}
