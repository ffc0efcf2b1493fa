// Brings prisma/reference/ up to date with where it comes from; prisma/reference/README.md says what that is. It is a
// tool, not a check: names change with Node's ICU, and the files that are committed are what counts.
import { citiesOf, type City } from './reference/cities.ts'
import { countriesOf, type Country } from './reference/countries.ts'
import { languagesOf, type Language } from './reference/languages.ts'
import { nationalitiesOf, type Nationality } from './reference/nationalities.ts'
import { regionsOf, type Region } from './reference/regions.ts'
import { readRows, writeRows, type Row } from './reference/rows.ts'

/** Written by hand from the first row to the last: only their order and layout are seen to. */
const BY_HAND = [
  'degrees',
  'general-specialties',
  'accurate-specialties',
  'functional-cases',
  'digital-guide-categories',
  'digital-guide-sections',
]

const countries = countriesOf(await readRows<Country>('countries'))
const regions = regionsOf(await readRows<Region>('regions'), countries)

await write('countries', countries)
await write('nationalities', nationalitiesOf(await readRows<Nationality>('nationalities'), countries))
await write('languages', languagesOf(await readRows<Language>('languages')))
await write('regions', regions)
await write('cities', citiesOf(await readRows<City>('cities'), regions))
for (const set of BY_HAND) await write(set, await readRows(set))

async function write(set: string, rows: readonly Row[]): Promise<void> {
  await writeRows(set, rows)
  const nameless = rows.filter((row) => !row.name_ar || !row.name_en).map(({ id }) => id)
  console.log(`${set}: ${rows.length}${nameless.length > 0 ? `, to be named by hand: ${nameless.join(', ')}` : ''}`)
}
