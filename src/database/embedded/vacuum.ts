import type pg from 'pg'

/**
 * Does what autovacuum, which the embedded database lacks, does on a server: frees the space of deleted rows, and updates the
 * statistics, by which plans of small tables are replaced when the tables grow. Requests wait for one table at most.
 */
export async function vacuumTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  )
  for (const { name } of rows) await pool.query(`VACUUM (ANALYZE) ${name}`)
}
