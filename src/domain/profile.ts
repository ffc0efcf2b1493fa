import type { components } from '../../generated/types.ts'
import type { Account, AccountType } from './account.ts'
import type { FileKind, KeptFile } from './file.ts'
import type { PhoneVerification } from './phone-verification.ts'

type User = components['schemas']['User']
type LawyerUser = components['schemas']['LawyerUser']

export type Gender = NonNullable<User['gender']>
export type UserType = NonNullable<User['type']>
export type IdentityType = NonNullable<LawyerUser['identity_type']>
export type ReviewStatus = LawyerUser['review_status']

/** What every account's owner says of themselves. The ids are those of lookups. */
export type Person = Readonly<{
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

/** What a lawyer says besides. `licences` holds the number of the licence by the id of the section. */
export type LawyerDetails = Readonly<{
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

/** The same members, of which only those that are `Known` are there from the beginning. */
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
    /** The ids of the files that are on file, by kind */
    files: Readonly<Partial<Record<FileKind, string>>>
    /** Kept when a lawyer's account becomes a client's */
    lawyer: Lawyer | undefined
  }>

/** What an update writes. */
export type ProfileChange = Readonly<{
  account: Readonly<{
    accountType: AccountType
    /** A new number, or the one that is there when it is verified now; undefined: it stays as it is */
    phone: Readonly<{ e164: string; code: string; isVerified: boolean }> | undefined
    passwordHash: string | undefined
  }>
  person: Person
  /** undefined: what there is stays */
  lawyer: LawyerDetails | undefined
  /** The confirmed window whose code the change uses up */
  window: PhoneVerification | undefined
  /** Files that take the place of those of the same kinds */
  files: readonly KeptFile[]
}>

/** What tells whether a profile is complete. */
export type Completeness = Pick<Profile, 'accountType' | 'gender'> &
  Readonly<{ lawyer: Pick<Lawyer, 'nationalId'> | null | undefined }>

/** Whether all is known that an account of its kind must say. */
export function isComplete({ accountType, gender, lawyer }: Completeness): boolean {
  return gender !== null && (accountType === 'client' || typeof lawyer?.nationalId === 'string')
}
