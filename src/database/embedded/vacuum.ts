import type pg from 'pg'

/** The statistics of index expressions are left out: those of the keys of the search would take seconds. */
const TABLES = `
  SELECT format('%I (%s)', c.relname, string_agg(quote_ident(a.attname), ', ')) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' GROUP BY c.oid, c.relname`

/**
 * Does what autovacuum, which the embedded database lacks, does on a server: frees the space of deleted rows, and updates the
 * statistics, by which plans for small tables are replaced when the tables grow. Requests wait for one table at most.
 */
export async function vacuumTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ columns: string }>(TABLES)
  for (const { columns } of rows) await pool.query(`VACUUM (ANALYZE) ${columns}`)
}
