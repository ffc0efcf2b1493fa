import type { FieldCode, FieldFailures } from '../failure.ts'
import type { LookupTables } from '../lookups/lookup-tables.ts'
import type { LookupSet } from '../lookups/lookups.ts'
import type { ProfileForm, Profile } from './profile.ts'

/** A field whose values are ids of a lookup set: the chosen ids, the stored ids, and the required parent. */
type Choice = {
  field: keyof ProfileForm
  set: LookupSet
  chosen: readonly number[]
  before: readonly (number | null | undefined)[]
  parent?: { key: 'country_id' | 'region_id' | 'general_specialty_id'; id: number | undefined }
}

/** Validates the lookup ids of a form. An inactive id is accepted if it is already stored. */
export function choiceFailures(form: ProfileForm, current: Profile, lookups: LookupTables): FieldFailures {
  const failures = listChoices(form, current).flatMap((choice) => {
    const codes = new Set(choice.chosen.flatMap((id) => checkChoice(id, choice, lookups) ?? []))
    return codes.size > 0 ? [[choice.field, [...codes]] as const] : []
  })
  return Object.fromEntries(failures)
}

function listChoices(form: ProfileForm, current: Profile): Choice[] {
  const { lawyer } = current
  const one = (id: number | undefined): number[] => (id === undefined ? [] : [id])
  const choice = (
    field: keyof ProfileForm,
    set: LookupSet,
    before: number | null | undefined,
    parent?: Choice['parent'],
  ): Choice => ({
    field,
    set,
    chosen: one(form[field] as number | undefined),
    before: [before],
    ...(parent && { parent }),
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
    { field: 'languages', set: 'languages', chosen: form.languages ?? [], before: lawyer?.languages ?? [] },
    {
      field: 'sections',
      set: 'digital_guide_sections',
      chosen: form.sections ?? [],
      before: Object.keys(lawyer?.licences ?? {}).map(Number),
    },
  ]
}

function checkChoice(id: number, { set, before, parent }: Choice, lookups: LookupTables): FieldCode | undefined {
  const row = lookups.row(set, id)
  if (!row) return 'unknown_id'
  if (!row.active && !before.includes(id)) return 'inactive_id'
  const parents = row as Partial<Record<NonNullable<typeof parent>['key'], number>> // undefined for a parent that the set does not have
  return parent?.id !== undefined && parents[parent.key] !== parent.id ? 'wrong_parent' : undefined
}
