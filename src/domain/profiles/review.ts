import type { FieldCode } from '../failure.ts'
import type { FileKind } from '../files/file.ts'
import { canonicalJson } from '../text.ts'
import { nationalIdCheck, type Identity } from './national-id.ts'
import {
  isComplete,
  REVIEWED,
  type Completeness,
  type Lawyer,
  type LawyerDetails,
  type ReviewAfter,
} from './profile.ts'

export type Decision = Readonly<{
  status: 'approved' | 'rejected'
  /** Shown to the lawyer */
  reason: string | null
  /** The version of the lawyer's data that the reviewer has seen */
  version: number
}>

/** Whether a new file of a kind makes an approved or rejected lawyer pending again. */
const REVIEWED_FILES: Readonly<Record<FileKind, boolean>> = {
  profile_photo: false,
  national_id_image: true,
  degree_certificate: true,
  cv_file: false,
  company_license_file: true,
  logo: false,
}

type ReviewedField = {
  [Field in keyof LawyerDetails]: (typeof REVIEWED)[Field] extends true ? Field : never
}[keyof LawyerDetails]

const REVIEWED_FIELDS = Object.keys(REVIEWED).filter(
  (field): field is ReviewedField => REVIEWED[field as keyof LawyerDetails],
)

/** The fields that a review depends on; null if the lawyer has not entered a value yet. */
export type Reviewed = { readonly [Field in ReviewedField]: LawyerDetails[Field] | null }

/** Returns whether a change requires another review. New files are those that it adds or replaces. */
export function needsReview(before: Reviewed, after: Reviewed, newFiles: readonly FileKind[]): boolean {
  const isChanged = (field: ReviewedField): boolean => canonicalJson(before[field]) !== canonicalJson(after[field])
  return REVIEWED_FIELDS.some(isChanged) || newFiles.some((kind) => REVIEWED_FILES[kind])
}

/** Returns the review of a lawyer after a change. A new lawyer is pending. */
export function reviewAfter(
  stored: Lawyer | undefined,
  after: LawyerDetails,
  newFiles: readonly FileKind[],
): ReviewAfter {
  const isReset = stored !== undefined && needsReview(stored, after, newFiles)
  if (!stored || isReset) return { reviewStatus: 'pending', reviewReason: null, isReset }
  return { reviewStatus: stored.reviewStatus, reviewReason: stored.reviewReason, isReset }
}

/**
 * Describes the findings about the identity of a lawyer for the audit trail, without the numbers themselves.
 *
 * @param duplicateIds the ids of accounts with the same national ID or licence number
 * @returns undefined if there are no findings
 */
export function describeFindings(identity: Identity, duplicateIds: readonly number[]): string | undefined {
  const check = nationalIdCheck(identity)
  const findings = [
    ...(check === 'implausible' ? [`national_id_check=${check}`] : []),
    ...(duplicateIds.length > 0 ? [`duplicate_of=${duplicateIds.join(',')}`] : []),
  ]
  return findings.length > 0 ? findings.join(' ') : undefined
}

/** Returns why an account cannot be reviewed, or undefined if it can. */
export function reviewRefusal(account: Completeness): FieldCode | undefined {
  if (account.accountType !== 'lawyer') return 'not_a_lawyer'
  return isComplete(account) ? undefined : 'profile_incomplete'
}
