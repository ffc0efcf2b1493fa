import { lookupTables, type LookupTables } from '../domain/lookups/lookup-tables.ts'
import type { LookupRows, LookupSet } from '../domain/lookups/lookups.ts'
import { column, select, table, type Column } from '../database/columns.ts'
import type { Database } from '../database/index.ts'
import { query, queryOnlyRow } from '../database/query.ts'

/** The lookup tables, in memory. */
export type Lookups = {
  /** Returns the tables. The object changes only when their rows change. */
  current(): LookupTables
  /** Reads the tables again if they have changed. */
  refresh(): Promise<void>
}

const state = table('ReferenceState', 's')

const VERSION = query(
  select<{ version: number }>({ version: state.version }),
  (list) => `SELECT ${list} FROM reference_state s`,
)

/** Returns a column with all rows of a table as JSON. */
function rowsIn<Set extends LookupSet>(set: Set): Column<LookupRows[Set]> {
  return column(`(SELECT json_agg(t) FROM ${set} t)`)
}

const TABLES = query(
  select<LookupRows & { version: number }>({
    version: state.version,
    countries: rowsIn('countries'),
    regions: rowsIn('regions'),
    cities: rowsIn('cities'),
    nationalities: rowsIn('nationalities'),
    languages: rowsIn('languages'),
    degrees: rowsIn('degrees'),
    general_specialties: rowsIn('general_specialties'),
    accurate_specialties: rowsIn('accurate_specialties'),
    functional_cases: rowsIn('functional_cases'),
    digital_guide_categories: rowsIn('digital_guide_categories'),
    digital_guide_sections: rowsIn('digital_guide_sections'),
  }),
  (list) => `SELECT ${list} FROM reference_state s`,
)

/** Reads all lookup tables in one query. */
export async function openLookups({ pool }: Database): Promise<Lookups> {
  const read = async (): Promise<{ version: number; tables: LookupTables }> => {
    const { version, ...sets } = await queryOnlyRow(pool, TABLES)
    return { version, tables: lookupTables(sets) }
  }
  let current = await read()
  return {
    current: () => current.tables,
    async refresh() {
      const { version } = await queryOnlyRow(pool, VERSION)
      if (version !== current.version) current = await read()
    },
  }
}
