import { lookupTables, type LookupTables } from '../domain/lookups/lookup-tables.ts'
import type { LookupRows } from '../domain/lookups/lookups.ts'
import { column, query, queryOnlyRow, table, type Columns } from '../database/sql.ts'
import type { Database } from '../database/index.ts'
import { REFERENCE_TABLES } from '../database/reference-data.ts'

/** The lookup tables, in memory. */
export type Lookups = {
  /** Returns the tables. The object changes only when their rows change. */
  current(): LookupTables
  /** Reads the tables again if they have changed. */
  refresh(): Promise<void>
}

const state = table('ReferenceState', 's')

const VERSION = query<{ version: number }>(
  { version: state.version },
  (list) => `SELECT ${list} FROM reference_state s`,
)

/** One column for each table, with all its rows as JSON */
const ROWS = Object.fromEntries(
  REFERENCE_TABLES.map((table) => [table, column(`(SELECT json_agg(t) FROM ${table} t)`)]),
) as Columns<Pick<LookupRows, (typeof REFERENCE_TABLES)[number]>>

const TABLES = query<LookupRows & { version: number }>(
  { version: state.version, ...ROWS },
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
