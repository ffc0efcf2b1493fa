// The results of a search, and their order.
import fc from 'fast-check'
import t from 'tap'
import { birthDateFailures } from '../../src/domain/profiles/profile-rules.ts'
import { lookupTables } from '../../src/domain/lookups/lookup-tables.ts'
import { foldText, type LookupRows } from '../../src/domain/lookups/lookups.ts'

const none: LookupRows = {
  countries: [],
  regions: [],
  cities: [],
  nationalities: [],
  languages: [],
  degrees: [],
  general_specialties: [],
  accurate_specialties: [],
  functional_cases: [],
  digital_guide_categories: [],
  digital_guide_sections: [],
}

void t.test('finds names in any spelling', (t) => {
  const same = [
    ['مكّة المُكرّمة', 'مكه المكرمه'],
    ['الأحساء', 'الاحساء'],
    ['إبراء', 'ابراء'],
    ['آل ثاني', 'ال ثاني'],
    ['القرى', 'القري'],
    ['مؤسسة', 'موسسه'],
    ['الـريـاض', 'الرياض'],
    ['Zürich', 'ZURICH'],
    ['  Al   Khobar ', 'al khobar'],
  ]
  for (const [a = '', b = ''] of same) t.equal(foldText(a), foldText(b), a)
  t.not(foldText('الرياض'), foldText('الرياضة'))
  t.end()
})

void t.test('folding is idempotent', (t) => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldText(foldText(text)) === foldText(text)))
  t.end()
})

void t.test('filters by parents, and caches only what is found', (t) => {
  const row = (id: number, parent: number): LookupRows['accurate_specialties'][number] => ({
    id,
    name_ar: `${id}`,
    name_en: `${id}`,
    active: true,
    general_specialty_id: parent,
  })
  const tables = lookupTables({ ...none, accurate_specialties: [row(11, 1), row(12, 1), row(21, 2)] })
  const list = (general_specialty_id: number): { items: readonly { id: number }[] } =>
    tables.list('accurate_specialties', 'en', { general_specialty_id })
  t.same(
    list(1).items.map(({ id }) => id),
    [11, 12],
  )
  t.equal(list(1), list(1))
  t.same(list(3).items, [])
  t.not(list(3), list(3), 'an invented parent takes no memory')
  t.end()
})

void t.test('does not list inactive rows but returns them by id', (t) => {
  const row = (id: number, name: string, active = true): LookupRows['functional_cases'][number] => ({
    id,
    name_ar: name,
    name_en: name,
    active,
  })
  const rows = [row(1, 'Other'), row(2, 'B'), row(3, 'A'), row(4, 'C', false)]
  const tables = lookupTables({ ...none, functional_cases: rows })
  t.same(
    tables.list('functional_cases', 'en').items.map(({ id }) => id),
    [3, 2, 1],
  )
  t.equal(tables.row('functional_cases', 4)?.active, false)
  t.equal(tables.row('functional_cases', 5), undefined)
  t.equal(tables.list('functional_cases', 'en'), tables.list('functional_cases', 'en'), 'the same object')
  for (let id = 1; id < 5000; id++) tables.list('regions', 'en', { country_id: id * 1000 })
  t.equal(tables.list('degrees', 'ar'), tables.list('degrees', 'ar'), 'also after any number of parents without items')
  t.end()
})

void t.test('accepts real dates of birth for ages 18 to 120 only', (t) => {
  const nowMs = Date.UTC(2026, 10, 21)
  const codes = (day: number, month: number, year: number): string =>
    Object.keys(birthDateFailures({ day, month, year }, nowMs)).join()
  t.equal(codes(21, 11, 2008), '', 'eighteen today')
  t.equal(codes(22, 11, 2008), 'year', 'eighteen tomorrow')
  t.equal(codes(22, 11, 1905), '', 'the last day of being 120')
  t.equal(codes(21, 11, 1905), 'year')
  t.equal(codes(29, 2, 2000), '')
  t.equal(codes(29, 2, 1900), 'day')
  t.equal(codes(31, 4, 1990), 'day')
  t.equal(codes(1, 9, 1445), 'year')
  t.end()
})
