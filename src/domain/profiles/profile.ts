import type { components } from '../../../generated/types.ts'
import type { Account, AccountType } from '../accounts/account.ts'
import type { FileKind, FileObject } from '../files/file.ts'
import type { PhoneVerification } from '../phones/phone-verification.ts'
import { Failure, type FieldFailures } from '../failure.ts'

type Schemas = components['schemas']
type User = Schemas['UserProfile']
type LawyerProfile = Schemas['LawyerProfile']

export type Gender = NonNullable<User['gender']>
type UserType = NonNullable<User['type']>
export type IdentityType = NonNullable<LawyerProfile['identity_type']>
export type ReviewStatus = LawyerProfile['review_status']

/** Makes optional members required, so that no reader or writer can omit one. */
type Complete<Fields> = Readonly<Required<Fields>>

/** The details of the owner of an account. The ids are lookup ids. A missing value is null, not undefined. */
export type Person = Complete<{
  name: string
  gender: Gender
  countryId: number
  regionId: number
  cityId: number
  nationalityId: number
  type: UserType
  longitude: number
  latitude: number
}>

export type BirthDate = Readonly<{ day: number; month: number; year: number }>

/** The additional details of a lawyer. `licences` maps section ids to licence numbers. */
export type LawyerDetails = Complete<{
  firstName: string
  secondName: string
  thirdName: string | null
  fourthName: string
  about: string
  nationalId: string
  identityType: IdentityType
  birthDate: BirthDate
  degreeId: number
  otherDegree: string | null
  generalSpecialtyId: number
  accurateSpecialtyId: number
  functionalCaseId: number
  companyName: string | null
  companyLicencesNo: string | null
  licences: Readonly<Record<string, string>>
  languages: readonly number[]
}>

/**
 * Whether a change of the field makes an approved or rejected lawyer pending again. No field of `Person` does; the name of
 * a lawyer is built from the four names.
 */
export const REVIEWED = {
  firstName: true,
  secondName: true,
  thirdName: true,
  fourthName: true,
  about: false,
  nationalId: true,
  identityType: true,
  birthDate: true,
  degreeId: true,
  otherDegree: true,
  generalSpecialtyId: true,
  accurateSpecialtyId: true,
  functionalCaseId: false,
  companyName: true,
  companyLicencesNo: true,
  licences: true,
  languages: false,
} as const satisfies Record<keyof LawyerDetails, boolean>

/** The same members, nullable except those that are `Known` from the registration. */
type Incomplete<Whole, Known extends keyof Whole> = {
  readonly [Member in keyof Whole]: Member extends Known ? Whole[Member] : Whole[Member] | null
}

export type Names = Pick<LawyerDetails, 'firstName' | 'secondName' | 'thirdName' | 'fourthName'>

export type Lawyer = Incomplete<LawyerDetails, keyof Names | 'licences' | 'languages'> &
  Readonly<{
    reviewStatus: ReviewStatus
    /** Why the lawyer was rejected */
    reviewReason: string | null
  }>

export type Profile = Account &
  Incomplete<Person, 'name'> &
  Readonly<{
    phone: string
    phoneCode: string
    phoneVerified: boolean
    emailVerified: boolean
    /** The address that replaces `email` when it is confirmed */
    pendingEmail: string | null
    deletionDueAt: Date | null
    /** Increases with every change of the profile */
    profileVersion: number
    /** The ids of the stored files, by kind */
    files: Readonly<Partial<Record<FileKind, string>>>
    /** Not deleted when a lawyer's account becomes a client's */
    lawyer: Lawyer | undefined
  }>

export type ProfileChange = Readonly<{
  account: Readonly<{
    accountType: AccountType
    /** A new number, or the stored one if this update verifies it; undefined if the number does not change */
    phone: Readonly<{ e164: string; code: string; isVerified: boolean }> | undefined
    passwordHash: string | undefined
  }>
  /** The confirmed verification whose code the update uses */
  verification: PhoneVerification | undefined
  /** Files that replace the stored ones of the same kinds */
  files: readonly FileObject[]
}>

export type Completeness = Pick<Profile, 'accountType' | 'gender'> &
  Readonly<{ lawyer: Pick<Lawyer, 'nationalId'> | null | undefined }>

/** Returns whether a profile has all required data of its account type. */
export function isComplete({ accountType, gender, lawyer }: Completeness): boolean {
  return gender !== null && (accountType === 'client' || typeof lawyer?.nationalId === 'string')
}

/** The review of a lawyer after a change. `isReset` is true if the change makes a stored lawyer pending again. */
export type ReviewAfter = Pick<Lawyer, 'reviewStatus' | 'reviewReason'> & Readonly<{ isReset: boolean }>

/** The fields of a profile after a change; undefined details leave the stored ones of a lawyer unchanged. */
export type ProfileDetails = Readonly<{ person: Person; lawyer: LawyerDetails | undefined }>

/** What a change replaces, beside the e-mail address and the phone number. */
type Change = Pick<ProfileChange, 'account'> & Readonly<{ removedFiles: readonly FileKind[] }>

/** The state after the change: its fields, its version, the ids of the new files, and the review of a lawyer. */
type After = ProfileDetails & Readonly<{ version: number; newFiles: Profile['files']; review: ReviewAfter | undefined }>

/** Returns the profile after a change of the stored one, as its owner sees it. */
export function changedProfile(stored: Profile, { account, removedFiles }: Change, after: After): Profile {
  const { version, newFiles, person, lawyer, review } = after
  const kept = Object.entries(stored.files).filter(([kind]) => !removedFiles.some((removed) => removed === kind))
  return {
    ...stored,
    ...person,
    accountType: account.accountType,
    profileVersion: version,
    files: { ...Object.fromEntries(kept), ...newFiles },
    lawyer: lawyer && review && changedLawyer(lawyer, review),
  }
}

function changedLawyer(details: LawyerDetails, { reviewStatus, reviewReason }: ReviewAfter): Lawyer {
  return { ...details, languages: [...details.languages].sort((a, b) => a - b), reviewStatus, reviewReason }
}

/** Identifies one state of the profile of one account. */
export function profileVersion({ id, profileVersion }: Readonly<{ id: number; profileVersion: number }>): string {
  return `${id}-${profileVersion}`
}

/** @throws Failure 412 `outdated` unless a profile is in one of the states that the caller expects, if it expects any */
export function requireVersion(expected: ReadonlySet<string> | undefined, actual: string): void {
  if (expected && !expected.has(actual)) throw new Failure('outdated')
}

/** The valid fields of both forms. A field that is missing or does not match its schema is absent. */
export type ProfileForm = Partial<
  Omit<Schemas['LawyerProfileForm'], 'account_type'> &
    Pick<Schemas['ClientProfileForm'], 'name'> & { account_type: 'client' | 'lawyer' }
>

/** Returns the fields of a body that can be validated further: licences only if their sections are valid. */
export function rightFields(body: object, fieldErrors: FieldFailures): ProfileForm {
  const { license_no: licences, ...others } = body as ProfileForm // all remaining fields match their schemas
  const areSectionsInvalid = Object.keys(fieldErrors).some((path) => path.split('.')[0] === 'sections')
  return licences === undefined || areSectionsInvalid ? others : { ...others, license_no: licences }
}

/** Merges the failures of several rules. If several rules reject a field, the first one applies. */
export function mergeFailures(...found: readonly FieldFailures[]): FieldFailures {
  return Object.assign({}, ...[...found].reverse()) as FieldFailures
}
