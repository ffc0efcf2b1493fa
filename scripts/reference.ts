// Updates prisma/reference/ from its sources, which prisma/reference/README.md lists. This is a tool and not a check:
// names change with Node's ICU, and the committed files are authoritative.
import { buildCountries, buildNationalities, type Country, type Nationality } from './reference/countries.ts'
import { buildLanguages, type Language } from './reference/languages.ts'
import { buildCities, buildRegions, type City, type Region } from './reference/regions.ts'
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

const countries = buildCountries(await readRows<Country>('countries'))
const regions = buildRegions(await readRows<Region>('regions'), countries)

await write('countries', countries)
await write('nationalities', buildNationalities(await readRows<Nationality>('nationalities'), countries))
await write('languages', buildLanguages(await readRows<Language>('languages')))
await write('regions', regions)
await write('cities', buildCities(await readRows<City>('cities'), regions))
for (const set of BY_HAND) await write(set, await readRows(set))

async function write(set: string, rows: readonly Row[]): Promise<void> {
  await writeRows(set, rows)
  const nameless = rows.filter((row) => !row.name_ar || !row.name_en).map(({ id }) => id)
  console.log(`${set}: ${rows.length}${nameless.length > 0 ? `, to be named by hand: ${nameless.join(', ')}` : ''}`)
}
