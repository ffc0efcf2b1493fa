import type { Country } from './countries.ts'
import { isActive, mergeRows, type Row } from './rows.ts'

/** It has the id and the `iso2` of its country. */
export type Nationality = Row & { iso2: string }

/**
 * Returns one nationality per country. The names are maintained manually, because no maintained source has them in
 * Arabic.
 */
export function buildNationalities(before: readonly Nationality[], countries: readonly Country[]): Nationality[] {
  const known = new Map(before.map((row) => [row.id, row]))
  const fresh = countries
    .filter(isActive)
    .map(({ id, iso2 }) => known.get(id) ?? { id, name_ar: '', name_en: '', iso2 })
  return mergeRows(before, fresh)
}
