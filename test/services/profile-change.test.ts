// What an update of a profile stores: given, absent and empty fields.
import t from 'tap'
import type { Body } from '../../src/contract/operation.ts'
import type { PhoneVerification } from '../../src/domain/phones/phone-verification.ts'
import type { Profile } from '../../src/domain/profiles/profile.ts'
import { storedLawyer, storedProfile } from '../support/accounts/stored-profile.ts'
import { buildNames } from '../../src/services/profile/names.ts'
import { buildDetails, buildProfileChange } from '../../src/services/profile/profile-change.ts'

type Form = Extract<Body<'updateProfile'>, { account_type: 'lawyer' }>

const phone = { e164: '+966512345678', callingCode: '966' }
const current: Profile = {
  ...storedProfile,
  lawyer: { ...storedLawyer, thirdName: 'c', companyName: 'Old', companyLicencesNo: '55', licences: { '101': '38/1' } },
}
const form: Form = {
  account_type: 'lawyer',
  email: current.email,
  phone: '0512345678',
  phone_code: '966',
  country_id: 682,
  region_id: 1,
  city_id: 10,
  nationality_id: 682,
  type: 2,
  gender: 'Female',
  longitude: 46,
  latitude: 24,
  first_name: 'a',
  second_name: 'b',
  fourth_name: 'd',
  about: 'e',
  national_id: '1012345672',
  identity_type: 1,
  day: 1,
  month: 1,
  year: 1990,
  degree: 1,
  general_specialty: 1,
  accurate_specialty: 11,
  functional_cases: 1,
  languages: [1],
}
const verification: PhoneVerification = {
  phone: phone.e164,
  purpose: 'verification',
  windowId: 'verification',
  state: 'confirmed',
  startedAtMs: 0,
  expiresAtMs: 1,
  confirmedAtMs: 1,
  wrongTries: 0,
  sends: [],
  wrong: [],
  other: undefined,
}

type Known = Parameters<typeof buildProfileChange>[1]
const known: Known = { current, phone, verification: undefined, passwordHash: undefined, files: [] }
const lawyerOf = (changes: Partial<Form>, profile = current): Record<string, unknown> => ({
  ...buildDetails({ ...form, ...changes }, profile).lawyer,
})

void t.test('preserves optional fields that are absent, and clears empty ones', (t) => {
  t.match(lawyerOf({}), { thirdName: 'c', companyName: 'Old', companyLicencesNo: '55' })
  const empty = { third_name: '', company_name: '', company_licences_no: '' }
  t.match(lawyerOf(empty), { thirdName: null, companyName: null, companyLicencesNo: null })
  t.match(lawyerOf({ third_name: 'x', company_name: 'New' }), { thirdName: 'x', companyName: 'New' })
  const client = { ...current, lawyer: undefined }
  t.match(lawyerOf({}, client), { thirdName: null, companyName: null, companyLicencesNo: null, licences: {} })
  t.end()
})

void t.test('stores the name of a degree only for the degree "other"', (t) => {
  t.equal(lawyerOf({ degree: 4, other_degree: 'LL.M.' })['otherDegree'], 'LL.M.')
  t.equal(lawyerOf({ degree: 4, other_degree: '' })['otherDegree'], null)
  t.equal(lawyerOf({ degree: 3, other_degree: 'LL.M.' })['otherDegree'], null)
  t.end()
})

void t.test('replaces, preserves or clears the licences', (t) => {
  t.same(lawyerOf({ sections: [102], license_no: { '102': '2' } })['licences'], { '102': '2' })
  t.same(lawyerOf({ license_no: { '101': '3' } })['licences'], { '101': '3' })
  t.same(lawyerOf({})['licences'], { '101': '38/1' })
  t.same(lawyerOf({ sections: [] })['licences'], {})
  t.end()
})

void t.test('writes the phone number only if it changes or is confirmed', (t) => {
  const change = (changes: Partial<Known>): unknown => buildProfileChange(form, { ...known, ...changes }).account.phone
  t.equal(change({}), undefined)
  const other = { e164: '+14155552671', callingCode: '1' }
  t.same(change({ phone: other }), { e164: other.e164, code: '1', isVerified: false })
  t.same(change({ phone: other, verification }), { e164: other.e164, code: '1', isVerified: true })
  t.same(change({ verification }), { e164: phone.e164, code: '966', isVerified: true })
  t.end()
})

void t.test('builds the full name from its parts, and leaves the details of a client alone', (t) => {
  t.equal(buildDetails(form, current).person.name, 'a b d')
  t.equal(buildDetails({ ...form, third_name: 'c' }, current).person.name, 'a b c d')
  t.equal(lawyerOf({})['nationalId'], '1012345672')
  const client = { ...form, account_type: 'client', name: 'Sara Alotaibi' } as const
  t.match(buildDetails(client, current), { person: { name: 'Sara Alotaibi' }, lawyer: undefined })
  t.same(buildNames({ account_type: 'client', name: 'Sara' }), { name: 'Sara', names: undefined })
  t.match(buildNames({ account_type: 'lawyer', first_name: 'a', second_name: 'b', third_name: '', fourth_name: 'd' }), {
    name: 'a b d',
    names: { thirdName: null },
  })
  t.end()
})
