import type { FieldFailures, FieldCode } from '../failure.ts'
import type { FileKind } from '../files/file.ts'
import type { LookupTables } from '../lookups/lookup-tables.ts'
import { nationalIdFailures } from './national-id.ts'
import type { ProfileForm, Lawyer, Profile, BirthDate } from './profile.ts'
import { LIMITS } from '../../../generated/limits.ts'
import type { LookupSet } from '../lookups/lookups.ts'

/** The id of the degree "other", which `other_degree` names. With any other degree, the name is ignored. */
export const OTHER_DEGREE = 4

type RuleInput = {
  form: ProfileForm
  current: Profile
  lookups: LookupTables
  nationalIdCheck: 'flag' | 'strict'
  nowMs: number
}

/** Validates the rules of a lawyer's form that the OpenAPI document cannot express. */
export function lawyerFailures(input: RuleInput): FieldFailures {
  const { form, current, nationalIdCheck, nowMs } = input
  if (form.account_type !== 'lawyer') return {}
  const { day, month, year, national_id: nationalId, identity_type: identityType } = form
  const isDated = day !== undefined && month !== undefined && year !== undefined
  const isIdentified = nationalId !== undefined && identityType !== undefined
  return {
    ...missingFiles(input),
    ...(nationalIdCheck === 'strict' &&
      isIdentified &&
      nationalIdFailures({ nationalId, identityType }, current.lawyer)),
    ...(isDated && birthDateFailures({ day, month, year }, nowMs)),
    ...licenceFailures(form, current.lawyer),
  }
}

/** Returns the required files that are neither sent nor stored. A stored file does not count if its subject changes. */
function missingFiles({ form, current: { lawyer, type, files }, lookups }: RuleInput): FieldFailures {
  const isMissing = (kind: FileKind, isRequired: boolean, isOutdated: boolean): boolean =>
    isRequired && !(kind in form) && (files[kind] === undefined || isOutdated)
  const needsCertificate = form.degree !== undefined && lookups.row('degrees', form.degree)?.need_certificate === true
  const isCompany = form.type === 2 || form.type === 3
  const missing = {
    national_id_image: isMissing('national_id_image', true, isOtherPerson(form, lawyer)),
    degree_certificate: isMissing('degree_certificate', needsCertificate, form.degree !== lawyer?.degreeId),
    company_license_file: isMissing('company_license_file', isCompany, isOtherCompany(form, type, lawyer)),
  }
  const kinds = Object.entries(missing).flatMap(([kind, is]) => (is ? [kind] : []))
  return Object.fromEntries(kinds.map((kind) => [kind, ['required'] as const]))
}

function isOtherPerson({ national_id: number, identity_type: type }: ProfileForm, lawyer: Lawyer | undefined): boolean {
  const hasOtherNumber = number !== undefined && number !== lawyer?.nationalId
  return hasOtherNumber || (type !== undefined && type !== lawyer?.identityType)
}

function isOtherCompany(form: ProfileForm, typeBefore: number | null, lawyer: Lawyer | undefined): boolean {
  const { company_licences_no: number } = form
  return form.type !== typeBefore || (number !== undefined && number !== lawyer?.companyLicencesNo)
}

/** Requires one licence for each section, and no others. Without `sections`, the stored sections apply. */
function licenceFailures({ sections, license_no: licences }: ProfileForm, lawyer: Lawyer | undefined): FieldFailures {
  if (!licences) return {}
  const ids = sections?.map(String) ?? Object.keys(lawyer?.licences ?? {})
  const missing = ids.filter((id) => !Object.hasOwn(licences, id))
  const surplus = Object.keys(licences).filter((id) => !ids.includes(id))
  return {
    ...Object.fromEntries(missing.map((id) => [`license_no.${id}`, ['required'] as const])),
    ...Object.fromEntries(surplus.map((id) => [`license_no.${id}`, ['unknown_field'] as const])),
  }
}

/** Years that are assumed to be of the Hijri calendar */
const HIJRI = { from: 1300, to: 1500 }

/** Validates a date of birth. A day that does not exist in its month is an error of `day`. */
export function birthDateFailures({ day, month, year }: BirthDate, nowMs: number): FieldFailures {
  if (year >= HIJRI.from && year <= HIJRI.to) return { year: ['date_not_gregorian'] }
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1) return { day: ['date_unreal'] }

  const { years_min: min, years_max: max } = LIMITS.age
  const age = ageAt({ day, month, year }, new Date(nowMs))
  return age < min || age > max ? { year: [{ code: 'age_not_allowed', values: { min, max } }] } : {}
}

function ageAt({ day, month, year }: BirthDate, now: Date): number {
  const hasHadBirthday = now.getUTCMonth() + 1 > month || (now.getUTCMonth() + 1 === month && now.getUTCDate() >= day)
  return now.getUTCFullYear() - year - (hasHadBirthday ? 0 : 1)
}

/** A field whose values are ids of a lookup set: the chosen ids, the stored ids, and the required parent. */
export type Choice = {
  field: keyof ProfileForm
  set: LookupSet
  chosen: readonly number[]
  before: readonly number[]
  parent: { key: 'country_id' | 'region_id' | 'general_specialty_id'; id: number | undefined } | undefined
}

/** Validates the lookup ids of a form. An inactive id is accepted if it is already stored. */
export function choiceFailures(choices: readonly Choice[], lookups: LookupTables): FieldFailures {
  const failures = choices.flatMap((choice) => {
    const codes = new Set(choice.chosen.flatMap((id) => checkChoice(id, choice, lookups) ?? []))
    return codes.size > 0 ? [[choice.field, [...codes]] as const] : []
  })
  return Object.fromEntries(failures)
}

function checkChoice(id: number, { set, before, parent }: Choice, lookups: LookupTables): FieldCode | undefined {
  const row = lookups.row(set, id)
  if (!row) return 'unknown_id'
  if (!row.active && !before.includes(id)) return 'inactive_id'
  const parents = row as Partial<Record<NonNullable<typeof parent>['key'], number>> // undefined for a parent that the set does not have
  return parent?.id !== undefined && parents[parent.key] !== parent.id ? 'wrong_parent' : undefined
}
