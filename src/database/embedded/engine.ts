import { PGlite } from '@electric-sql/pglite'
import { setFlagsFromString } from 'node:v8'
import type pg from 'pg'

/** A PostgreSQL backend that exchanges messages of the wire protocol. */
export type Backend = {
  /** Rolls back the open transaction and resets the session. */
  reset(): Promise<void>
  /** Runs complete messages and returns the response messages. */
  run(messages: Uint8Array): Promise<Uint8Array>
}

export type Engine = Backend & { close(): Promise<void> }

/**
 * Makes V8 optimize the code of PostgreSQL a hundred times later than by default. Otherwise the first thousands of queries
 * take several times as long, because the optimizing compiler competes with them.
 */
const WASM_FLAGS = '--wasm-tiering-budget=200000000'

setFlagsFromString(WASM_FLAGS)

/** The default of PGlite needs four times the memory. */
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB']

/**
 * Opens PostgreSQL in this thread, in a directory or in memory. A query blocks the thread while it runs. A missing
 * database is created, which takes seconds and a lot of memory.
 *
 * @param compiled PostgreSQL, if it is compiled already
 */
export async function openEngine(directory?: string, compiled?: WebAssembly.Module): Promise<Engine> {
  const options = { ...(directory && { dataDir: directory }), ...(compiled && { pgliteWasmModule: compiled }) }
  const database = await PGlite.create({ startParams: START_PARAMETERS, ...options })
  return {
    async reset() {
      if (database.closed) return
      if (database.isInTransaction()) await database.exec('ROLLBACK')
      await database.exec('DISCARD ALL')
    },
    async run(messages) {
      const responses: Uint8Array[] = []
      const onRawData = (bytes: Uint8Array): unknown => responses.push(bytes.slice())
      await database.runExclusive(() => database.execProtocolRawStream(messages, { onRawData }))
      return Buffer.concat(responses)
    },
    close: () => database.close(),
  }
}

/** Smaller tables are left out. Without statistics, PostgreSQL reads them by their indexes, also when they grow. */
const BYTES_MIN = 2 ** 18

/** The statistics of index expressions are left out: those of the search would take seconds, and it needs none. */
const TABLES = `
  SELECT format('%I (%s)', c.relname, string_agg(quote_ident(a.attname), ', ')) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND pg_relation_size(c.oid) >= ${BYTES_MIN}
  GROUP BY c.oid, c.relname`

/**
 * Does what autovacuum, which the embedded database lacks, does on a server: frees the space of deleted rows, and updates the
 * statistics, by which plans from the time when a table was small are replaced. Requests wait for one table at most.
 */
export async function vacuumTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ columns: string }>(TABLES)
  for (const { columns } of rows) await pool.query(`VACUUM (ANALYZE) ${columns}`)
}
