import type { Region } from './regions.ts'
import { isActive, mergeRows, type Row } from './rows.ts'

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
