// When a reviewed lawyer requires another review.
import fc from 'fast-check'
import t from 'tap'
import { needsReview, reviewRefusal, type Reviewed } from '../../src/domain/profiles/review.ts'

const FILES = ['profile_photo', 'cv_file', 'logo'] as const
const REVIEWED_FILES = ['national_id_image', 'degree_certificate', 'company_license_file'] as const

const text = fc.string({ maxLength: 5 })
const textOrNull = fc.option(text)
const whole = fc.integer({ min: 1, max: 9 })
const reviewed: fc.Arbitrary<Reviewed> = fc.record({
  firstName: text,
  secondName: text,
  thirdName: textOrNull,
  fourthName: text,
  nationalId: textOrNull,
  identityType: fc.constantFrom(1, 2, 3, null),
  birthDate: fc.option(fc.record({ day: whole, month: whole, year: whole })),
  degreeId: fc.option(whole),
  otherDegree: textOrNull,
  generalSpecialtyId: fc.option(whole),
  accurateSpecialtyId: fc.option(whole),
  companyName: textOrNull,
  companyLicencesNo: textOrNull,
  licences: fc.dictionary(whole.map(String), text),
})

/** Fields that a review does not depend on */
const others = fc.record({
  name: text,
  gender: fc.constantFrom('Male', 'Female'),
  countryId: whole,
  regionId: whole,
  cityId: whole,
  nationalityId: whole,
  type: whole,
  longitude: whole,
  latitude: whole,
  about: text,
  functionalCaseId: whole,
  languages: fc.array(whole),
})

void t.test('requires no review for other fields', async (t) => {
  fc.assert(
    fc.property(reviewed, others, others, (lawyer, before, after) => {
      return !needsReview({ ...lawyer, ...before }, { ...lawyer, ...after }, [])
    }),
  )
  t.pass()
})

void t.test('requires no review for unchanged fields', async (t) => {
  const reversed = (licences: Reviewed['licences']): Reviewed['licences'] =>
    licences && Object.fromEntries(Object.entries(licences).reverse())
  fc.assert(
    fc.property(reviewed, fc.subarray([...FILES]), (lawyer, files) => {
      const again = { ...structuredClone(lawyer), licences: reversed(lawyer.licences) }
      return !needsReview(lawyer, again, files)
    }),
  )
  t.pass()
})

void t.test('requires a new review when a reviewed field changes', async (t) => {
  const others: Reviewed = {
    firstName: 'another',
    secondName: 'another',
    thirdName: 'another',
    fourthName: 'another',
    nationalId: 'another',
    identityType: 2,
    birthDate: { day: 10, month: 10, year: 10 },
    degreeId: 10,
    otherDegree: 'another',
    generalSpecialtyId: 10,
    accurateSpecialtyId: 10,
    companyName: 'another',
    companyLicencesNo: 'another',
    licences: { '10': 'another' },
  }
  const members = Object.keys(others) as (keyof Reviewed)[]
  fc.assert(
    fc.property(reviewed, fc.constantFrom(...members), (lawyer, member) => {
      const before = { ...lawyer, identityType: 1 as const }
      return needsReview(before, { ...before, [member]: others[member] }, [])
    }),
  )
  fc.assert(
    fc.property(reviewed, fc.constantFrom(...REVIEWED_FILES), (lawyer, kind) => needsReview(lawyer, lawyer, [kind])),
  )
  t.pass()
})

void t.test('allows reviews of complete lawyers only', async (t) => {
  const lawyer = { nationalId: '1012345672' }
  t.equal(reviewRefusal({ accountType: 'client', gender: 'Male', lawyer }), 'not_a_lawyer')
  t.equal(reviewRefusal({ accountType: 'lawyer', gender: null, lawyer }), 'profile_incomplete')
  t.equal(reviewRefusal({ accountType: 'lawyer', gender: 'Male', lawyer: { nationalId: null } }), 'profile_incomplete')
  t.equal(reviewRefusal({ accountType: 'lawyer', gender: 'Male', lawyer: null }), 'profile_incomplete')
  t.equal(reviewRefusal({ accountType: 'lawyer', gender: 'Male', lawyer }), undefined)
})
