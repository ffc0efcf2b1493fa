import type { Data, Operation } from '../../contract/operation.ts'
import type { LookupTables } from '../../domain/lookups/lookup-tables.ts'
import type { LookupItem, LookupSet } from '../../domain/lookups/lookups.ts'
import { enumerationsIn } from '../../messages/enumerations.ts'
import type { Language } from '../../messages/index.ts'

export const listLookups: Operation<'listLookups'> = async ({ language, reply }, { lookups }) =>
  reply(cachedLists(lookups.current(), language))

type Lists = Data<'listLookups'>

/** Returns the same object for the same tables, so that its response is built and checked once. */
const cache: Record<Language, WeakMap<LookupTables, Lists>> = { ar: new WeakMap(), en: new WeakMap() }

function cachedLists(tables: LookupTables, language: Language): Lists {
  const lists = cache[language].get(tables) ?? buildLists(tables, language)
  cache[language].set(tables, lists)
  return lists
}

function buildLists(tables: LookupTables, language: Language): Lists {
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
