// The guarantees of prisma/reference/ for clients that store its ids.
import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'

type Row = { id: number; name_ar: string; name_en: string; active?: false } & Record<string, unknown>

/** The member that refers to the parent, and the set of the parent. */
const PARENTS: Record<string, readonly [string, string]> = {
  regions: ['country_id', 'countries'],
  cities: ['region_id', 'regions'],
  nationalities: ['id', 'countries'],
  'accurate-specialties': ['general_specialty_id', 'general-specialties'],
  'digital-guide-sections': ['category_id', 'digital-guide-categories'],
}
/** The members of the rows of a set besides `id`, `name_ar` and `name_en`. */
const ADDED: Record<string, Record<string, (value: unknown) => boolean>> = {
  countries: {
    iso2: (value) => /^[A-Z]{2}$/.test(String(value)),
    phone_code: (value) => value === null || (typeof value === 'string' && /^[1-9]\d{0,2}$/.test(value)),
  },
  nationalities: { iso2: (value) => /^[A-Z]{2}$/.test(String(value)) },
  languages: { iso: (value) => /^[a-z]{2}$/.test(String(value)) },
  regions: { country_id: Number.isInteger },
  cities: { region_id: Number.isInteger },
  degrees: { need_certificate: (value) => typeof value === 'boolean' },
  'general-specialties': {},
  'accurate-specialties': { general_specialty_id: Number.isInteger },
  'functional-cases': {},
  'digital-guide-categories': {},
  'digital-guide-sections': { category_id: Number.isInteger },
}

const INT4_MAX = 2 ** 31 - 1
const ARABIC = /^[\p{Script=Arabic}\p{Mn}() -]+$/u
const LATIN = /^[\p{Script=Latin}\p{Mn}()'’. -]+$/u

const sets: Record<string, Row[]> = Object.fromEntries(Object.keys(ADDED).map((set) => [set, rowsOf(set)]))

function rowsOf(set: string): Row[] {
  return JSON.parse(readFileSync(`prisma/reference/${set}.json`, 'utf8')) as Row[]
}

function active(set: string): Row[] {
  return (sets[set] ?? []).filter((row) => row.active !== false)
}

void t.test('has exactly the expected sets', (t) => {
  const files = readdirSync('prisma/reference').filter((name) => name.endsWith('.json'))
  t.same(
    files.sort(),
    Object.keys(ADDED)
      .map((set) => `${set}.json`)
      .sort(),
  )
  t.end()
})

for (const [set, rows] of Object.entries(sets)) {
  void t.test(set, (t) => {
    const ids = rows.map(({ id }) => id)
    t.ok(
      ids.every((id) => Number.isInteger(id) && id > 0 && id <= INT4_MAX),
      'ids are positive and fit the column',
    )
    t.same(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
      'ids are unique and in ascending order',
    )
    t.same(
      rows.flatMap((row) => faultsOf(row, ADDED[set] ?? {})),
      [],
      'rows have exactly their members, with valid values',
    )
    noNameTwice(t, set)
    t.end()
  })
}

function faultsOf(row: Row, checks: Record<string, (value: unknown) => boolean>): string[] {
  const { id, name_ar, name_en, active, ...added } = row
  const right: Record<string, boolean> = {
    members: Object.keys(added).sort().join() === Object.keys(checks).sort().join(),
    ...Object.fromEntries(Object.entries(checks).map(([member, check]) => [member, check(row[member])])),
    active: active === undefined || !active,
    name_ar: ARABIC.test(name_ar) && isTidy(name_ar),
    name_en: LATIN.test(name_en) && isTidy(name_en),
  }
  return Object.keys(right).flatMap((member) => (right[member] ? [] : [`${id} ${member}`]))
}

function isTidy(name: string): boolean {
  return name === name.trim().replace(/\s+/g, ' ').normalize('NFC')
}

function noNameTwice(t: Test, set: string): void {
  const parent = PARENTS[set]?.[0]
  for (const language of ['name_ar', 'name_en'] as const) {
    const names = active(set).map(
      (row) => `${parent && parent !== 'id' ? `${String(row[parent])} ` : ''}${row[language]}`,
    )
    t.same(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
      `each ${language} is unique under its parent`,
    )
  }
}

void t.test('gives every active row an active parent', (t) => {
  for (const [set, [member, above]] of Object.entries(PARENTS)) {
    const parents = new Set<unknown>(active(above).map(({ id }) => id))
    const orphans = active(set).filter((row) => !parents.has(row[member]))
    t.same(orphans, [], set)
  }
  t.end()
})

void t.test('gives every active parent an active child', (t) => {
  for (const [set, [member, above]] of Object.entries(PARENTS).filter(([set]) => set !== 'nationalities')) {
    const parents = new Set(active(set).map((row) => row[member]))
    const childless = active(above).filter(({ id }) => !parents.has(id))
    t.same(childless, [], `${above} have ${set}`)
  }
  t.end()
})

void t.test('offers "other" as the last city of every region', (t) => {
  const last = new Map(active('cities').map((city) => [city['region_id'], city]))
  const without = active('regions').filter(({ id }) => last.get(id)?.id !== 10_000_000 + id)
  t.same(without, [])
  t.end()
})

void t.test('has unique codes that match between nationalities and countries', (t) => {
  const isos = (set: string, member: string): unknown[] => rowsOf(set).map((row) => row[member])
  t.equal(new Set(isos('countries', 'iso2')).size, rowsOf('countries').length)
  t.equal(new Set(isos('languages', 'iso')).size, rowsOf('languages').length)
  const codes = (set: string): unknown[] => rowsOf(set).map(({ id, iso2 }) => [id, iso2])
  t.same(codes('nationalities'), codes('countries'))
  t.end()
})

void t.test('keeps the ids that clients rely on', (t) => {
  const row = (set: string, id: number): Row | undefined => active(set).find((each) => each.id === id)
  t.match(row('degrees', 4), { name_ar: 'أخرى', name_en: 'Other' })
  t.match(row('countries', 682), { iso2: 'SA', phone_code: '966' })
  t.match(row('nationalities', 682), { name_ar: 'سعودي', name_en: 'Saudi' })
  t.match(row('regions', 1), { name_en: 'Riyadh', country_id: 682 })
  t.match(row('cities', 1), { name_en: 'Riyadh', region_id: 1 })
  t.end()
})

void t.test('lists all regions of Saudi Arabia', (t) => {
  const regions = active('regions').filter(({ country_id }) => country_id === 682)
  t.same(
    regions.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  )
  const ids = new Set<unknown>(regions.map(({ id }) => id))
  t.ok(active('cities').filter(({ region_id }) => ids.has(region_id)).length >= 100)
  t.end()
})
