import type { Country } from './countries.ts'
import { isActive, mergeRows, type Row } from './rows.ts'

export type Region = Row & { country_id: number }

/** Returns the manually maintained regions, and one region for each country without any. */
export function buildRegions(before: readonly Region[], countries: readonly Country[]): Region[] {
  const own = before.filter(({ id, country_id }) => id !== wholeCountryId(country_id))
  const divided = new Set(own.filter(isActive).map(({ country_id }) => country_id))
  const whole = countries
    .filter((country) => isActive(country) && !divided.has(country.id))
    .map(({ id }) => ({
      id: wholeCountryId(id),
      name_ar: 'جميع المناطق',
      name_en: 'All regions',
      country_id: id,
    }))
  return mergeRows(before, [...own, ...whole])
}

/** The regions that a country is divided into have the ids that follow. */
function wholeCountryId(countryId: number): number {
  return countryId * 100
}
