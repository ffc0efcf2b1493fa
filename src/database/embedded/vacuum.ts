// Maintenance of the embedded database. Apart from the engine, which is a development package that images leave out.
import type pg from 'pg'

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
