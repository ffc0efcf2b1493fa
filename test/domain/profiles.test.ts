// Rules of a profile that depend on the stored one, the lookups or the date.
import t from 'tap'
import { failuresAt, type FieldFailures } from '../../src/domain/failure.ts'
import { lookupTables } from '../../src/domain/lookups/lookup-tables.ts'
import type { LookupRows } from '../../src/domain/lookups/lookups.ts'
import { birthDateFailures, lawyerFailures, choiceFailures } from '../../src/domain/profiles/profile-rules.ts'
import { nationalIdCheck } from '../../src/domain/profiles/national-id.ts'
import { mergeFailures, rightFields, type ProfileForm, type Profile } from '../../src/domain/profiles/profile.ts'
import { needsReview } from '../../src/domain/profiles/review.ts'
import { listChoices } from '../../src/services/profile/profile-change.ts'
import { storedLawyer as lawyer, storedProfile as current } from '../support/accounts/stored-profile.ts'

const name = { name_ar: 'اسم', name_en: 'Name' }
const row = (id: number, active = true): typeof name & { id: number; active: boolean } => ({ ...name, id, active })
const country = (id: number, active = true): LookupRows['countries'][number] => ({
  ...row(id, active),
  iso2: 'SA',
  phone_code: '966',
})
const rows: LookupRows = {
  countries: [country(682), country(1, false)],
  regions: [
    { ...row(1), country_id: 682 },
    { ...row(2), country_id: 784 },
  ],
  cities: [{ ...row(10), region_id: 1 }],
  nationalities: [{ ...row(682), iso2: 'SA' }],
  languages: [row(1), row(2, false), row(3, false)].map((each) => ({ ...each, iso: 'ar' })),
  degrees: [
    { ...row(1), need_certificate: true },
    { ...row(2), need_certificate: true },
    { ...row(3), need_certificate: false },
  ],
  general_specialties: [row(1), row(2)],
  accurate_specialties: [{ ...row(11), general_specialty_id: 1 }],
  functional_cases: [row(1)],
  digital_guide_categories: [],
  digital_guide_sections: [
    { ...row(101), category_id: 1 },
    { ...row(102, false), category_id: 1 },
  ],
}
const lookups = lookupTables(rows)

/** A form that repeats the stored values */
const form: ProfileForm = {
  account_type: 'lawyer',
  type: 2,
  degree: 1,
  national_id: '1012345672',
  identity_type: 1,
  company_licences_no: '55',
}

type Options = { stored?: Partial<Profile>; nationalIdCheck?: 'flag' | 'strict' }

function failures(changes: ProfileForm, { stored = {}, nationalIdCheck = 'flag' }: Options = {}): FieldFailures {
  const nowMs = Date.UTC(2026, 10, 22)
  return lawyerFailures({
    form: { ...form, ...changes },
    current: { ...current, ...stored },
    lookups,
    nationalIdCheck,
    nowMs,
  })
}

const required = (...fields: string[]): FieldFailures =>
  Object.fromEntries(fields.map((field) => [field, ['required']]))

void t.test('requires no file again while the data that it proves does not change', (t) => {
  t.same(failures({}), {})
  t.end()
})

void t.test('requires each file that is neither stored nor sent', (t) => {
  const stored = { files: {} }
  const all = ['national_id_image', 'degree_certificate', 'company_license_file']
  t.same(failures({}, { stored }), required(...all))
  t.same(failures(Object.fromEntries(all.map((kind) => [kind, {}])), { stored }), {})
  t.end()
})

void t.test('requires another image for another number or document, but not for an absent one', (t) => {
  t.same(failures({ national_id: '1012345680' }), required('national_id_image'))
  t.same(failures({ identity_type: 3 }), required('national_id_image'))
  const { national_id: _, identity_type: __, ...others } = form
  t.same(lawyerFailures({ form: others, current, lookups, nationalIdCheck: 'flag', nowMs: 0 }), {})
  t.end()
})

void t.test('requires a certificate for the degrees that need one', (t) => {
  t.same(failures({ degree: 2 }), required('degree_certificate'))
  t.same(failures({ degree: 3 }), {})
  t.same(
    failures({ degree: 3 }, { stored: { files: { ...current.files, degree_certificate: undefined } as never } }),
    {},
  )
  t.end()
})

void t.test('requires the licence of a company or an establishment, again for another one', (t) => {
  const { files } = current
  const stored = { files: { national_id_image: 'x', degree_certificate: 'x' } }
  t.same(failures({ type: 1 }, { stored }), {})
  for (const type of [2, 3] as const) t.same(failures({ type }, { stored }), required('company_license_file'))
  t.same(failures({ type: 3 }, { stored: { files } }), required('company_license_file'), 'another type')
  t.same(failures({ company_licences_no: '56' }), required('company_license_file'), 'another number')
  t.end()
})

void t.test('validates a date of birth only if all its parts are valid', (t) => {
  const whole = { day: 31, month: 4, year: 1990 }
  t.same(failures(whole), { day: ['date_unreal'] })
  for (const missing of ['day', 'month', 'year'] as const) {
    const { [missing]: _, ...others } = { ...whole, year: 1400 }
    t.same(failures(others), {}, `no ${missing}`)
  }
  t.end()
})

void t.test('rejects an implausible national ID only in strict mode, and not the stored one', (t) => {
  const changes = { national_id: '1012345671', national_id_image: {} } as ProfileForm
  t.same(failures(changes), {})
  t.same(failures(changes, { nationalIdCheck: 'strict' }), { national_id: ['national_id_implausible'] })
  const stored = { lawyer: { ...lawyer, nationalId: '1012345671' } }
  t.same(failures(changes, { nationalIdCheck: 'strict', stored }), {})
  t.same(failures({ identity_type: 3 }, { nationalIdCheck: 'strict' }).national_id, ['national_id_implausible'])
  t.end()
})

void t.test('does not judge an incomplete national ID', (t) => {
  for (const field of ['national_id', 'identity_type'] as const) {
    const { [field]: _, ...others } = form
    t.same(lawyerFailures({ form: others, current, lookups, nationalIdCheck: 'strict', nowMs: 0 }), {}, `no ${field}`)
  }
  t.equal(nationalIdCheck({ nationalId: '1012345672', identityType: null }), null)
  t.equal(nationalIdCheck({ nationalId: null, identityType: 1 }), null)
  t.equal(nationalIdCheck(undefined), null)
  t.end()
})

void t.test('recognizes the years of the Hijri calendar', (t) => {
  const code = (year: number): unknown => {
    const [failure] = birthDateFailures({ day: 1, month: 9, year }, Date.UTC(2026, 10, 22)).year ?? []
    return typeof failure === 'object' ? failure.code : failure
  }
  for (const year of [1300, 1445, 1500]) t.equal(code(year), 'date_not_gregorian', String(year))
  for (const year of [1299, 1501]) t.equal(code(year), 'age_not_allowed', String(year))
  t.end()
})

void t.test('counts the years of an age before and after the birthday', (t) => {
  const isAllowed = (day: number, month: number, year: number): boolean =>
    Object.keys(birthDateFailures({ day, month, year }, Date.UTC(2026, 10, 22))).length === 0
  t.ok(isAllowed(23, 11, 2007), 'nineteen tomorrow')
  t.ok(isAllowed(1, 12, 2007), 'nineteen next month')
  t.notOk(isAllowed(1, 12, 2008), 'eighteen next month')
  t.ok(isAllowed(30, 10, 2008), 'eighteen last month')
  t.end()
})

void t.test('compares reviewed values regardless of the order of their members', (t) => {
  const reviewed = { ...lawyer, birthDate: { day: 1, month: 2, year: 1990 } }
  t.notOk(needsReview(reviewed, { ...reviewed, birthDate: { year: 1990, month: 2, day: 1 } }, []))
  t.ok(needsReview(reviewed, { ...reviewed, birthDate: { year: 1990, month: 1, day: 2 } }, []))
  t.end()
})

void t.test('requires one licence number for each section, and no others', (t) => {
  t.same(failures({ sections: [101, 102], license_no: { '101': '1', '103': '2' } }), {
    'license_no.102': ['required'],
    'license_no.103': ['unknown_field'],
  })
  t.same(failures({ license_no: { '101': '1' } }), {}, 'the stored sections')
  t.same(failures({ license_no: { '102': '1' } }), {
    'license_no.101': ['required'],
    'license_no.102': ['unknown_field'],
  })
  t.same(failures({ sections: [101, 102] }), {}, 'no licences')
  t.end()
})

void t.test('does not apply the rules of lawyers to clients', (t) => {
  const client = { account_type: 'client', type: 2, day: 31, month: 4, year: 1990 } as const
  const stored = { ...current, files: {}, lawyer: undefined }
  t.same(lawyerFailures({ form: client, current: stored, lookups, nationalIdCheck: 'strict', nowMs: 0 }), {})
  t.end()
})

void t.test('accepts active ids, and an inactive one only where it is stored', (t) => {
  t.same(choiceFailures(listChoices({ country_id: 682, languages: [1], sections: [101] }, current), lookups), {})
  t.same(choiceFailures(listChoices({ country_id: 1, languages: [2, 3], sections: [102] }, current), lookups), {
    country_id: ['inactive_id'],
    languages: ['inactive_id'],
    sections: ['inactive_id'],
  })
  const stored = { ...current, countryId: 1, lawyer: { ...lawyer, languages: [2, 3], licences: { '102': '1' } } }
  t.same(choiceFailures(listChoices({ country_id: 1, languages: [2, 3], sections: [102] }, stored), lookups), {})
  t.end()
})

void t.test('rejects unknown ids, each reason once', (t) => {
  t.same(choiceFailures(listChoices({ city_id: 99, degree: 99, languages: [98, 99, 2] }, current), lookups), {
    city_id: ['unknown_id'],
    degree: ['unknown_id'],
    languages: ['unknown_id', 'inactive_id'],
  })
  t.end()
})

void t.test('rejects an id of another parent, if the parent is given', (t) => {
  const right = { country_id: 682, region_id: 1, city_id: 10, general_specialty: 1, accurate_specialty: 11 }
  t.same(choiceFailures(listChoices(right, current), lookups), {})
  t.same(choiceFailures(listChoices({ country_id: 682, region_id: 2, city_id: 10 }, current), lookups), {
    region_id: ['wrong_parent'],
    city_id: ['wrong_parent'],
  })
  t.same(choiceFailures(listChoices({ general_specialty: 2, accurate_specialty: 11 }, current), lookups), {
    accurate_specialty: ['wrong_parent'],
  })
  t.same(choiceFailures(listChoices({ region_id: 2, accurate_specialty: 11 }, current), lookups), {})
  t.end()
})

void t.test('validates licences only if their sections are valid', (t) => {
  const body = { sections: [101], license_no: { '101': '1' } }
  t.same(rightFields(body, { email: ['required'] }), body)
  for (const path of ['sections', 'sections.0'])
    t.same(rightFields(body, failuresAt(path, 'unknown_id')), { sections: [101] })
  t.end()
})

void t.test('reports the first of several failures of a field', (t) => {
  t.same(mergeFailures({ phone: ['required'] }, { phone: ['phone_taken'], email: ['email_taken'] }), {
    phone: ['required'],
    email: ['email_taken'],
  })
  t.end()
})
