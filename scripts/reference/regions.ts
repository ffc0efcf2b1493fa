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

export type City = Row & { region_id: number }

/** Higher than the ids of all other cities, which end at 9 999 999, so that it is last in its region */
const OTHER_CITIES_FROM = 10_000_000

/** Returns the manually maintained cities, and one "other" city for each region. */
export function buildCities(before: readonly City[], regions: readonly Region[]): City[] {
  const named = before.filter(({ id }) => id < OTHER_CITIES_FROM)
  const others = regions.filter(isActive).map(({ id }) => ({
    id: OTHER_CITIES_FROM + id,
    name_ar: 'أخرى',
    name_en: 'Other',
    region_id: id,
  }))
  return mergeRows(before, [...named, ...others])
}
