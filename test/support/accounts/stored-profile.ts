import type { Lawyer, Person, Profile } from '../../../src/domain/profiles/profile.ts'
import { LAWYER } from '../../../src/store/demo-data.ts'

/** The stored details of a lawyer */
export const storedLawyer: Lawyer = {
  ...LAWYER,
  firstName: 'a',
  secondName: 'b',
  thirdName: null,
  fourthName: 'd',
  about: 'e',
  birthDate: { day: 1, month: 1, year: 1990 },
  accurateSpecialtyId: 11,
  companyLicencesNo: '55',
  licences: { '101': '38/1' },
  languages: [1],
  reviewStatus: 'pending',
  reviewReason: null,
}

export const storedPerson = {
  name: 'a b d',
  gender: 'Female',
  countryId: 682,
  regionId: 1,
  cityId: 10,
  nationalityId: 682,
  type: 2,
  longitude: 46,
  latitude: 24,
} as const satisfies Person

/** The stored profile of a lawyer */
export const storedProfile: Profile = {
  id: 1,
  email: 'sara@example.org',
  accountType: 'lawyer',
  isAdmin: false,
  ...storedPerson,
  phone: '+966512345678',
  phoneCode: '966',
  phoneVerified: true,
  emailVerified: true,
  pendingEmail: null,
  deletionDueAt: null,
  profileVersion: 0,
  files: { national_id_image: 'x', degree_certificate: 'x', company_license_file: 'x' },
  lawyer: storedLawyer,
}
