import { folded, itemsOf, type LookupItem, type LookupRow, type LookupRows, type LookupSet } from './lookups.ts'

/** Which items are asked for: `q` is a part of a name, the others are the ids of parents. */
export type LookupFilter = Readonly<{
  q?: string
  country_id?: number
  region_id?: number
  general_specialty_id?: number
}>

export type LookupList<Set extends LookupSet> = { items: LookupItem<Set>[] }

/** All sets, as they are in the memory of the service. */
export type LookupTables = {
  /** The active items by name. The same question without `q` gets the same object, so that it need not be read twice. */
  list<Set extends LookupSet>(set: Set, language: 'ar' | 'en', filter?: LookupFilter): LookupList<Set>
  /** A row, also one that may not be chosen any more. */
  row<Set extends LookupSet>(set: Set, id: number): LookupRow<Set> | undefined
}

export function lookupTables(rows: LookupRows): LookupTables {
  const byId = new Map(
    Object.entries(rows).map(([set, list]) => [set, new Map(list.map((row) => [row.id, row]))] as const),
  )
  const row = <Set extends LookupSet>(set: Set, id: number): LookupRow<Set> | undefined => byId.get(set)?.get(id) // what stands under the name of a set is of the set
  const kept = new Map<string, object>()
  const countryOf = ({ region_id: id = 0 }: Parents): number | undefined => row('regions', id)?.country_id

  const list = <Set extends LookupSet>(set: Set, language: 'ar' | 'en', filter: LookupFilter = {}): LookupList<Set> => {
    const { q = '', ...parents } = filter
    const found = keptOf(set, language, parents)
    if (q.trim() === '') return found
    const part = folded(q)
    return { items: found.items.filter((item) => namesOf(item).includes(part)) }
  }
  /** Those of some parents, made of those of all. Parents that have none are not kept: people may invent any number. */
  const keptOf = <Set extends LookupSet>(set: Set, language: 'ar' | 'en', parents: Parents): LookupList<Set> => {
    const asked = Object.entries(parents).sort()
    const key = `${set} ${language} ${JSON.stringify(asked)}`
    const known = kept.get(key) as LookupList<Set> | undefined // kept under the name of its set
    if (known) return known
    const items = asked.length === 0 ? all(set, language) : ofParents(keptOf(set, language, {}).items, parents)
    const found = { items }
    if (items.length > 0 || asked.length === 0) kept.set(key, found)
    return found
  }
  const all = <Set extends LookupSet>(set: Set, language: 'ar' | 'en'): LookupItem<Set>[] => {
    const items = itemsOf<Set>(rows[set], language)
    if (set !== 'digital_guide_categories') return items
    const sections = itemsOf<'digital_guide_sections'>(rows.digital_guide_sections, language)
    return items.map((item) => ({ ...item, sections: sections.filter(({ category_id: id }) => id === item.id) }))
  }
  const ofParents = <Item>(items: Item[], { country_id, region_id, general_specialty_id }: Parents): Item[] =>
    items.filter((item) => {
      const parents = item as Parents // those that its set has
      const inCountry = country_id === undefined || (parents.country_id ?? countryOf(parents)) === country_id
      const inRegion = region_id === undefined || parents.region_id === region_id
      const inGeneral = general_specialty_id === undefined || parents.general_specialty_id === general_specialty_id
      return inCountry && inRegion && inGeneral
    })
  return { list, row }
}

type Parents = Omit<LookupFilter, 'q'>

/** Both names as a search compares them, made once for each item. */
const names = new WeakMap<object, string>()

function namesOf(item: { name_ar: string; name_en: string }): string {
  const known = names.get(item) ?? `${folded(item.name_ar)}\n${folded(item.name_en)}`
  names.set(item, known)
  return known
}
