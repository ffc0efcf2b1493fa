import type { components } from '../../generated/types.ts'

type Schemas = components['schemas']

/** What a set holds, but for the name in the language that is asked for. */
type Kept<Item> = Readonly<Omit<Item, 'name' | 'sections'> & { active: boolean }>

/** The rows of all sets as they are kept, also those that may not be chosen any more. */
export type LookupRows = Readonly<{
  countries: readonly Kept<Schemas['Country']>[]
  regions: readonly Kept<Schemas['Region']>[]
  cities: readonly Kept<Schemas['City']>[]
  nationalities: readonly Kept<Schemas['Nationality']>[]
  languages: readonly Kept<Schemas['Language']>[]
  degrees: readonly Kept<Schemas['Degree']>[]
  general_specialties: readonly Kept<Schemas['GeneralSpecialty']>[]
  accurate_specialties: readonly Kept<Schemas['AccurateSpecialty']>[]
  functional_cases: readonly Kept<Schemas['FunctionalCase']>[]
  digital_guide_categories: readonly Kept<Schemas['DigitalGuideCategory']>[]
  digital_guide_sections: readonly Kept<Schemas['DigitalGuideSection']>[]
}>

export type LookupSet = keyof LookupRows
export type LookupRow<Set extends LookupSet = LookupSet> = LookupRows[Set][number]

/** An item of a set as it is shown, with its name in the language that was asked for. */
export type LookupItem<Set extends LookupSet> = Readonly<
  { name: string } & Omit<LookupRow<Set>, 'active'> &
    (Set extends 'digital_guide_categories' ? { sections: LookupItem<'digital_guide_sections'>[] } : unknown)
>

type Language = 'ar' | 'en'

const COLLATORS = { ar: new Intl.Collator('ar'), en: new Intl.Collator('en') }

/** The active rows by name; what stands for all others comes last. */
export function itemsOf<Set extends LookupSet>(rows: LookupRows[Set], language: Language): LookupItem<Set>[] {
  const items = rows
    .filter(({ active }) => active)
    .map(({ active: _, ...row }) => ({ ...row, name: language === 'ar' ? row.name_ar : row.name_en }))
  const { compare } = COLLATORS[language]
  const sorted = items.sort((a, b) => Number(isOther(a)) - Number(isOther(b)) || compare(a.name, b.name))
  return sorted as unknown as LookupItem<Set>[] // the compiler does not see that a row of a set stays one
}

function isOther({ name_en }: { name_en: string }): boolean {
  return /^Other\b/.test(name_en)
}

/**
 * A text as a search compares it: without case, vowel signs, tatweel and the marks on Latin letters, and with one form
 * of alef, of yeh, of teh marbuta and heh, and of hamza on its seats.
 */
export function folded(text: string): string {
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
