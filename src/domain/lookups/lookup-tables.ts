import { foldText, toItems, type LookupItem, type LookupRow, type LookupRows, type LookupSet } from './lookups.ts'

/** Filters of a list: `q` is part of a name, the others are ids of parents. */
export type LookupFilter = Readonly<{
  q?: string
  country_id?: number
  region_id?: number
  general_specialty_id?: number
}>

/** A list of one page, in the shape of every list of the document */
export type LookupList<Set extends LookupSet> = { items: LookupItem<Set>[]; next_cursor: null }

/** All lookup sets, in memory. */
export type LookupTables = {
  /**
   * Returns the active items by name. Without `q`, equal calls return the same object, so that its serialization can be
   * cached.
   */
  list<Set extends LookupSet>(set: Set, language: 'ar' | 'en', filter?: LookupFilter): LookupList<Set>
  /** Returns a row, including inactive ones. */
  row<Set extends LookupSet>(set: Set, id: number): LookupRow<Set> | undefined
}

export function lookupTables(rows: LookupRows): LookupTables {
  const byId = new Map(
    Object.entries(rows).map(([set, list]) => [set, new Map(list.map((row) => [row.id, row]))] as const),
  )
  const row = <Set extends LookupSet>(set: Set, id: number): LookupRow<Set> | undefined => byId.get(set)?.get(id) // the map of a set has its rows
  const cache = new Map<string, object>()
  const findCountry = ({ region_id: id = 0 }: Parents): number | undefined => row('regions', id)?.country_id

  const list = <Set extends LookupSet>(set: Set, language: 'ar' | 'en', filter: LookupFilter = {}): LookupList<Set> => {
    const { q = '', ...parents } = filter
    const found = readList(set, language, parents)
    if (q === '') return found
    const searched = foldText(q)
    return { items: found.items.filter((item) => foldNames(item).includes(searched)), next_cursor: null }
  }
  /**
   * Filters by parents, starting from the complete list. Empty results are not cached, because callers can invent any
   * number of parents.
   */
  const readList = <Set extends LookupSet>(set: Set, language: 'ar' | 'en', parents: Parents): LookupList<Set> => {
    const given = Object.entries(parents)
    const key = given.length === 0 ? `${set} ${language}` : `${set} ${language} ${JSON.stringify(given.sort())}`
    const cached = cache.get(key) as LookupList<Set> | undefined // the key contains the set
    if (cached) return cached
    const items =
      given.length === 0 ? listAll(set, language) : filterByParents(readList(set, language, {}).items, parents)
    const found = { items, next_cursor: null }
    if (items.length > 0 || given.length === 0) cache.set(key, found)
    return found
  }
  const listAll = <Set extends LookupSet>(set: Set, language: 'ar' | 'en'): LookupItem<Set>[] => {
    const items = toItems<Set>(rows[set], language)
    if (set !== 'digital_guide_categories') return items
    const sections = toItems<'digital_guide_sections'>(rows.digital_guide_sections, language)
    return items.map((item) => ({ ...item, sections: sections.filter(({ category_id: id }) => id === item.id) }))
  }
  const filterByParents = <Item>(items: Item[], { country_id, region_id, general_specialty_id }: Parents): Item[] =>
    items.filter((item) => {
      const parents = item as Parents // undefined for a parent that the set does not have
      const inCountry = country_id === undefined || (parents.country_id ?? findCountry(parents)) === country_id
      const inRegion = region_id === undefined || parents.region_id === region_id
      const inGeneral = general_specialty_id === undefined || parents.general_specialty_id === general_specialty_id
      return inCountry && inRegion && inGeneral
    })
  return { list, row }
}

type Parents = Omit<LookupFilter, 'q'>

/** Both names of each item, folded once */
const names = new WeakMap<object, string>()

function foldNames(item: { name_ar: string; name_en: string }): string {
  const known = names.get(item) ?? `${foldText(item.name_ar)}\n${foldText(item.name_en)}`
  names.set(item, known)
  return known
}
