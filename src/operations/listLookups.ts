import type { Data, Operation } from '../contract.ts'
import type { LookupTables } from '../domain/lookup-tables.ts'
import type { LookupItem, LookupSet } from '../domain/lookups.ts'
import { enumerationsIn } from '../messages/enumerations.ts'
import type { Language } from '../messages/index.ts'

export const listLookups: Operation<'listLookups'> = async ({ language, reply }, { lookups }) =>
  reply(listsOf(lookups.current(), language))

type Lists = Data<'listLookups'>

/** The same tables give the same object, so that it need not be made and checked again. */
const kept: Record<Language, WeakMap<LookupTables, Lists>> = { ar: new WeakMap(), en: new WeakMap() }

function listsOf(tables: LookupTables, language: Language): Lists {
  const lists = kept[language].get(tables) ?? madeOf(tables, language)
  kept[language].set(tables, lists)
  return lists
}

function madeOf(tables: LookupTables, language: Language): Lists {
  const items = <Set extends LookupSet>(set: Set): LookupItem<Set>[] => tables.list(set, language).items
  return {
    ...enumerationsIn(language),
    countries: items('countries'),
    nationalities: items('nationalities'),
    degrees: items('degrees'),
    general_specialties: items('general_specialties'),
    accurate_specialties: items('accurate_specialties'),
    functional_cases: items('functional_cases'),
    languages: items('languages'),
    digital_guide_categories: items('digital_guide_categories'),
  }
}
