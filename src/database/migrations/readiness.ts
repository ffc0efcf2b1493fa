import type pg from 'pg'
import { Failure } from '../../domain/failure.ts'
import { listMigrations } from './names.ts'

const RETRY_AFTER_SECONDS = 2

const TEXT = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  (SELECT count(*)::int FROM "_prisma_migrations"
   WHERE migration_name = ANY($1) AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS applied`

type Row = { isReadOnly: boolean; applied: number }

/**
 * Returns a check that the database can serve all requests: it responds, it is no read-only standby, and it has all
 * migrations of a directory. Later migrations may have been applied, too.
 *
 * @throws Failure `database_unavailable`, or the error of the connection
 */
export function readiness(pool: pg.Pool, migrations: URL): () => Promise<void> {
  const names = listMigrations(migrations)
  return async () => {
    const { rows } = await pool.query<Row>({ name: 'readiness', text: TEXT, values: [names] })
    const [row] = rows
    if (row?.isReadOnly) throw unavailable('The database is read-only.')
    if (row?.applied !== names.length) throw unavailable('The database lacks migrations.')
  }
}

function unavailable(reason: string): Failure {
  return new Failure('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: new Error(reason) })
}
