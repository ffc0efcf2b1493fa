import { lookupTables, type LookupTables } from '../domain/lookup-tables.ts'
import type { LookupRows } from '../domain/lookups.ts'
import type { Database } from './database.ts'
import { REFERENCE_TABLES } from './reference.ts'

/** What forms choose from, in the memory of the service. */
export type Lookups = {
  /** The tables as they are now; another object when they have changed. */
  current(): LookupTables
  /** Reads the tables anew, if they have changed since they were read. */
  refresh(): Promise<void>
}

const SETS = REFERENCE_TABLES.map((table) => `(SELECT jsonb_agg(t) FROM ${table} t) AS ${table}`)

/** Reads all sets, in one query. */
export async function openLookups({ pool }: Database): Promise<Lookups> {
  const read = async (): Promise<{ version: number; tables: LookupTables }> => {
    const text = `SELECT s.version, ${SETS.join(', ')} FROM reference_state s`
    const { rows } = await pool.query<LookupRows & { version: number }>(text)
    const [row] = rows
    if (!row) throw new Error('the reference data is not loaded')
    const { version, ...sets } = row
    return { version, tables: lookupTables(sets) }
  }
  let current = await read()
  return {
    current: () => current.tables,
    async refresh() {
      const { rows } = await pool.query<{ version: number }>('SELECT version FROM reference_state')
      if (rows[0]?.version !== current.version) current = await read()
    },
  }
}
