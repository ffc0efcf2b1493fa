import type { Region } from './regions.ts'
import { isActive, merged, type Row } from './rows.ts'

export type City = Row & { region_id: number }

/** Above every other city, so that it comes last in its region: the others end at 9 999 999. */
const OTHER_CITIES_FROM = 10_000_000

/** The cities that are written by hand, and in each region one for those who do not find theirs. */
export function citiesOf(before: readonly City[], regions: readonly Region[]): City[] {
  const named = before.filter(({ id }) => id < OTHER_CITIES_FROM)
  const others = regions.filter(isActive).map(({ id }) => ({
    id: OTHER_CITIES_FROM + id,
    name_ar: 'أخرى',
    name_en: 'Other',
    region_id: id,
  }))
  return merged(before, [...named, ...others])
}
