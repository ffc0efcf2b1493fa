import type { components } from '../../../generated/types.ts'

type Schemas = components['schemas']

/** The columns of a set, without the name in the requested language. */
type StoredItem<Item> = Readonly<Omit<Item, 'name' | 'sections'> & { active: boolean }>

/** The rows of all sets, including inactive ones. */
export type LookupRows = Readonly<{
  countries: readonly StoredItem<Schemas['Country']>[]
  regions: readonly StoredItem<Schemas['Region']>[]
  cities: readonly StoredItem<Schemas['City']>[]
  nationalities: readonly StoredItem<Schemas['Nationality']>[]
  languages: readonly StoredItem<Schemas['Language']>[]
  degrees: readonly StoredItem<Schemas['Degree']>[]
  general_specialties: readonly StoredItem<Schemas['GeneralSpecialty']>[]
  accurate_specialties: readonly StoredItem<Schemas['AccurateSpecialty']>[]
  functional_cases: readonly StoredItem<Schemas['FunctionalCase']>[]
  digital_guide_categories: readonly StoredItem<Schemas['DigitalGuideCategory']>[]
  digital_guide_sections: readonly StoredItem<Schemas['DigitalGuideSection']>[]
}>

export type LookupSet = keyof LookupRows
export type LookupRow<Set extends LookupSet = LookupSet> = LookupRows[Set][number]

/** An item of a set, with its name in the requested language. */
export type LookupItem<Set extends LookupSet> = Readonly<
  { name: string } & Omit<LookupRow<Set>, 'active'> &
    (Set extends 'digital_guide_categories' ? { sections: LookupItem<'digital_guide_sections'>[] } : unknown)
>

type Language = 'ar' | 'en'

const COLLATORS = { ar: new Intl.Collator('ar'), en: new Intl.Collator('en') }

/** Returns the active rows, sorted by name; "Other …" is last. */
export function toItems<Set extends LookupSet>(rows: readonly LookupRow<Set>[], language: Language): LookupItem<Set>[] {
  const items = rows
    .filter(({ active }) => active)
    .map(({ active: _, ...row }) => ({ ...row, name: language === 'ar' ? row.name_ar : row.name_en }))
  const { compare } = COLLATORS[language]
  const sorted = items.sort((a, b) => Number(isOther(a)) - Number(isOther(b)) || compare(a.name, b.name))
  return sorted as LookupItem<Set>[] // the compiler loses that all items are of one set
}

function isOther({ name_en }: { name_en: string }): boolean {
  return /^Other\b/.test(name_en)
}

/**
 * Folds a text for searching: removes case, vowel signs, tatweel and the marks of Latin letters, and unifies the forms
 * of alef, yeh, teh marbuta and heh, and of hamza on its seats.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{Mn}\u0640]/gu, '')
    .toLowerCase()
    .replaceAll('ٱ', 'ا')
    .replaceAll(/[ىی]/g, 'ي')
    .replaceAll('ک', 'ك')
    .replaceAll('ة', 'ه')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
