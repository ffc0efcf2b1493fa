import type { Country } from './countries.ts'
import { isActive, merged, type Row } from './rows.ts'

/** It has the id and the `iso2` of its country. */
export type Nationality = Row & { iso2: string }

/** One for each country. What they are called is written by hand: no source that is kept has them in Arabic. */
export function nationalitiesOf(before: readonly Nationality[], countries: readonly Country[]): Nationality[] {
  const known = new Map(before.map((row) => [row.id, row]))
  const fresh = countries
    .filter(isActive)
    .map(({ id, iso2 }) => known.get(id) ?? { id, name_ar: '', name_en: '', iso2 })
  return merged(before, fresh)
}
