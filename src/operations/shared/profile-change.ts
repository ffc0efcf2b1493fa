import type { Body } from '../../contract.ts'
import type { KeptFile } from '../../domain/file.ts'
import { asciiDigits, type Phone } from '../../domain/phone.ts'
import type { PhoneVerification } from '../../domain/phone-verification.ts'
import { OTHER_DEGREE } from '../../domain/profile-rules.ts'
import type { LawyerDetails, Person, Profile, ProfileChange } from '../../domain/profile.ts'
import { filled, fullName } from './names.ts'

type Form = Body<'updateProfile'>
type LawyerForm = Extract<Form, { account_type: 'lawyer' }>

type Known = {
  current: Profile
  /** The number of the form */
  phone: Phone
  /** The window that confirmed it, where it needed to be confirmed */
  window: PhoneVerification | undefined
  passwordHash: string | undefined
  files: readonly KeptFile[]
}

/** What a form changes. An optional field that did not come stays as it is, and an empty one is cleared. */
export function changeOf(form: Form, { current, phone, window, passwordHash, files }: Known): ProfileChange {
  const isPhoneWritten = phone.e164 !== current.phone || window !== undefined
  return {
    account: {
      accountType: form.account_type,
      phone: isPhoneWritten
        ? { e164: phone.e164, code: phone.callingCode, isVerified: window !== undefined }
        : undefined,
      passwordHash,
    },
    person: personOf(form),
    lawyer: form.account_type === 'lawyer' ? lawyerOf(form, current) : undefined,
    window,
    files,
  }
}

function personOf(form: Form): Person {
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

function lawyerOf(form: LawyerForm, { lawyer }: Profile): LawyerDetails {
  const { day, month, year, degree } = form
  return {
    firstName: form.first_name,
    secondName: form.second_name,
    thirdName: kept(form.third_name, lawyer?.thirdName),
    fourthName: form.fourth_name,
    about: form.about,
    nationalId: asciiDigits(form.national_id),
    identityType: form.identity_type,
    birthDate: { day, month, year },
    degreeId: degree,
    otherDegree: degree === OTHER_DEGREE ? filled(form.other_degree) : null,
    generalSpecialtyId: form.general_specialty,
    accurateSpecialtyId: form.accurate_specialty,
    functionalCaseId: form.functional_cases,
    companyName: kept(form.company_name, lawyer?.companyName),
    companyLicencesNo: kept(form.company_licences_no, lawyer?.companyLicencesNo),
    licences: licencesOf(form, lawyer?.licences ?? {}),
    languages: form.languages,
  }
}

/** An empty text clears what was there. */
function kept(given: string | undefined, before: string | null | undefined): string | null {
  return given === undefined ? (before ?? null) : filled(given)
}

/** `license_no` has a number for each section that is meant; empty sections clear them. */
function licencesOf(
  { sections, license_no: licences }: LawyerForm,
  before: LawyerDetails['licences'],
): LawyerDetails['licences'] {
  if (sections?.length === 0) return {}
  return licences ?? before
}
