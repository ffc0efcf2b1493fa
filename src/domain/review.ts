import type { FieldCode } from './failure.ts'
import type { FileKind } from './file.ts'
import { nationalIdCheck, type Identity } from './national-id.ts'
import { isComplete, type LawyerDetails, type Completeness } from './profile.ts'

export type Decision = Readonly<{
  status: 'approved' | 'rejected'
  /** Why, in words for the lawyer */
  reason: string | null
  /** The version of the reviewed data that the decision is based on */
  version: number
}>

/** What a review looks at. All else may change without another one. */
const REVIEWED = [
  'firstName',
  'secondName',
  'thirdName',
  'fourthName',
  'nationalId',
  'identityType',
  'birthDate',
  'degreeId',
  'otherDegree',
  'generalSpecialtyId',
  'accurateSpecialtyId',
  'companyName',
  'companyLicencesNo',
  'licences',
] as const satisfies readonly (keyof LawyerDetails)[]

const REVIEWED_FILES: ReadonlySet<FileKind> = new Set([
  'national_id_image',
  'degree_certificate',
  'company_license_file',
])

/** What a review has looked at; what the lawyer had not said yet is null. */
export type Reviewed = { readonly [Member in (typeof REVIEWED)[number]]: LawyerDetails[Member] | null }

/**
 * Whether a lawyer who was reviewed must be reviewed again.
 *
 * @param newFiles the kinds of the files that come with the change
 */
export function needsReview(before: Reviewed, after: Reviewed, newFiles: readonly FileKind[]): boolean {
  const isOther = (member: keyof Reviewed): boolean => comparable(before[member]) !== comparable(after[member])
  return REVIEWED.some(isOther) || newFiles.some((kind) => REVIEWED_FILES.has(kind))
}

/** The same text for the same value, in whatever order its members stand. */
function comparable(value: Reviewed[keyof Reviewed]): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * What speaks against the identity of a lawyer, for the audit trail, without the numbers themselves.
 *
 * @param duplicateOf the ids of accounts with the same national ID or licence number
 * @returns undefined where there is nothing
 */
export function objectionsTo(identity: Identity, duplicateOf: readonly number[]): string | undefined {
  const check = nationalIdCheck(identity)
  const objections = [
    ...(check === 'implausible' ? [`national_id_check=${check}`] : []),
    ...(duplicateOf.length > 0 ? [`duplicate_of=${duplicateOf.join(',')}`] : []),
  ]
  return objections.length > 0 ? objections.join(' ') : undefined
}

/** Why an account cannot be reviewed; undefined when it can. */
export function reviewRefusal(account: Completeness): FieldCode | undefined {
  if (account.accountType !== 'lawyer') return 'not_a_lawyer'
  return isComplete(account) ? undefined : 'profile_incomplete'
}
