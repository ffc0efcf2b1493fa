// What a search finds, and in which order items come.
import fc from 'fast-check'
import t from 'tap'
import { birthDateFailures } from '../../src/domain/birth-date.ts'
import { lookupTables } from '../../src/domain/lookup-tables.ts'
import { folded, type LookupRows } from '../../src/domain/lookups.ts'

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

void t.test('a search does not mind how a name is written', (t) => {
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
  for (const [a = '', b = ''] of same) t.equal(folded(a), folded(b), a)
  t.not(folded('الرياض'), folded('الرياضة'))
  t.end()
})

void t.test('folding twice is folding once', (t) => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => folded(folded(text)) === folded(text)))
  t.end()
})

void t.test('inactive rows are not listed, but known', (t) => {
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

void t.test('a date of birth is a real day of somebody between 18 and 120', (t) => {
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
