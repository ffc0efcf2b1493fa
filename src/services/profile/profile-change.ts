import type { Body } from '../../contract/operation.ts'
import type { FileKind, FileObject } from '../../domain/files/file.ts'
import type { Phone } from '../../domain/phones/phone.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { LookupSet } from '../../domain/lookups/lookups.ts'
import { OTHER_DEGREE, type Choice } from '../../domain/profiles/profile-rules.ts'
import type {
  LawyerDetails,
  Person,
  Profile,
  ProfileChange,
  ProfileDetails,
  ProfileForm,
} from '../../domain/profiles/profile.ts'
import { filled, fullName } from './names.ts'

type Form = Body<'updateProfile'>
type LawyerForm = Extract<Form, { account_type: 'lawyer' }>

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text
/** The fields that are stored under another name, and those that other modules read */
type OtherField =
  | ('degree' | 'general_specialty' | 'accurate_specialty' | 'functional_cases' | 'sections' | 'license_no')
  | ('day' | 'month' | 'year')
  | ('account_type' | 'email' | 'phone' | 'phone_code' | 'otp' | 'password' | FileKind)
type Unread = Exclude<
  keyof LawyerForm | keyof Exclude<Form, LawyerForm>,
  SnakeCase<keyof Person | keyof LawyerDetails> | OtherField
>
type Nothing<None extends never> = None
/** A field of the document does not compile until it has a field of the domain, or another module reads it. */
export type EveryFieldIsRead = Nothing<Unread>

type Known = {
  current: Profile
  /** The phone number of the form */
  phone: Phone
  /** The verification that confirmed the number, if there is one */
  verification: PhoneVerification | undefined
  passwordHash: string | undefined
  files: readonly FileObject[]
}

/** Builds the change of a profile, without its fields. */
export function buildProfileChange(
  form: Form,
  { current, phone, verification, passwordHash, files }: Known,
): ProfileChange {
  const isPhoneWritten = phone.e164 !== current.phone || verification !== undefined
  return {
    account: {
      accountType: form.account_type,
      phone: isPhoneWritten
        ? { e164: phone.e164, code: phone.callingCode, isVerified: verification !== undefined }
        : undefined,
      passwordHash,
    },
    verification,
    files,
  }
}

/** Builds the fields after the change of a profile. An absent optional field is unchanged, and an empty one is cleared. */
export function buildDetails(form: Form, current: Profile): ProfileDetails {
  return { person: buildPerson(form), lawyer: form.account_type === 'lawyer' ? buildLawyer(form, current) : undefined }
}

function buildPerson(form: Form): Person {
  return {
    name: form.account_type === 'client' ? form.name : fullName(form),
    gender: form.gender,
    countryId: form.country_id,
    regionId: form.region_id,
    cityId: form.city_id,
    nationalityId: form.nationality_id,
    type: form.type,
    longitude: form.longitude,
    latitude: form.latitude,
  }
}

function buildLawyer(form: LawyerForm, { lawyer }: Profile): LawyerDetails {
  return {
    firstName: form.first_name,
    secondName: form.second_name,
    thirdName: keepOrClear(form.third_name, lawyer?.thirdName),
    fourthName: form.fourth_name,
    about: form.about,
    nationalId: form.national_id,
    identityType: form.identity_type,
    birthDate: { day: form.day, month: form.month, year: form.year },
    degreeId: form.degree,
    otherDegree: form.degree === OTHER_DEGREE ? filled(form.other_degree) : null,
    generalSpecialtyId: form.general_specialty,
    accurateSpecialtyId: form.accurate_specialty,
    functionalCaseId: form.functional_cases,
    companyName: keepOrClear(form.company_name, lawyer?.companyName),
    companyLicencesNo: keepOrClear(form.company_licences_no, lawyer?.companyLicencesNo),
    licences: chooseLicences(form, lawyer?.licences ?? {}),
    languages: form.languages,
  }
}

/** An empty text, or null in place of a number, clears the stored value. */
function keepOrClear<Value extends string | number>(
  given: Value | null | undefined,
  before: Value | null | undefined,
): Value | null {
  if (given === undefined) return before ?? null
  return given === '' ? null : given
}

/** `license_no` has a number for each section. An empty list of sections clears all numbers. */
function chooseLicences(
  { sections, license_no: licences }: LawyerForm,
  before: LawyerDetails['licences'],
): LawyerDetails['licences'] {
  if (sections?.length === 0) return {}
  return licences ?? before
}

/** The value of a field that is one id, or a list of them */
type Ids = number | readonly number[] | null | undefined

/** Lists the fields whose values are ids of lookup sets. */
export function listChoices(form: ProfileForm, current: Profile): Choice[] {
  const { lawyer } = current
  const choice = (field: keyof ProfileForm, set: LookupSet, before: Ids, parent?: Choice['parent']): Choice => ({
    ...{ field, set, parent },
    chosen: [(form[field] as Ids) ?? []].flat(),
    before: [before ?? []].flat(),
  })
  return [
    choice('country_id', 'countries', current.countryId),
    choice('region_id', 'regions', current.regionId, { key: 'country_id', id: form.country_id }),
    choice('city_id', 'cities', current.cityId, { key: 'region_id', id: form.region_id }),
    choice('nationality_id', 'nationalities', current.nationalityId),
    choice('degree', 'degrees', lawyer?.degreeId),
    choice('general_specialty', 'general_specialties', lawyer?.generalSpecialtyId),
    choice('accurate_specialty', 'accurate_specialties', lawyer?.accurateSpecialtyId, {
      key: 'general_specialty_id',
      id: form.general_specialty,
    }),
    choice('functional_cases', 'functional_cases', lawyer?.functionalCaseId),
    choice('languages', 'languages', lawyer?.languages),
    choice('sections', 'digital_guide_sections', Object.keys(lawyer?.licences ?? {}).map(Number)),
  ]
}
