import pg from 'pg'
import { Failure } from '../../domain/failure.ts'
import { describeMissing, findMissingColumns } from '../compatibility/columns.ts'
import { FEATURES } from '../compatibility/features.ts'
import { listMigrations } from './files.ts'

const RETRY_AFTER_SECONDS = 2

const TEXT = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  count(*) FILTER (WHERE migration_name = ANY($1))::int AS applied,
  count(*) || ' ' || max(finished_at) AS state,
  (SELECT min(name) FROM enabled_features WHERE name <> ALL($2)) AS feature
  FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`

type Row = { isReadOnly: boolean; applied: number; state: string; feature: string | null }

/** SQLSTATEs of a table or column that does not exist */
const UNDEFINED = ['42P01', '42703']

/**
 * Returns a check that the database can serve all requests: it responds, it is no read-only standby, and it has all
 * migrations of a directory. Later migrations may have been applied, too, as long as this version can read the tables. That
 * is checked again when the set of applied migrations has changed.
 *
 * @throws Failure `database_unavailable`, or the error of the connection
 */
export function readiness(pool: pg.Pool, migrations: URL, features = FEATURES): () => Promise<void> {
  const names = listMigrations(migrations)
  const values = [names, Object.keys(features)]
  let checkedState: string | undefined

  const checkColumns = async (state: string): Promise<void> => {
    if (state === checkedState) return
    const missing = await findMissingColumns(pool)
    if (missing.length > 0) throw unavailable(describeMissing(missing))
    checkedState = state
  }
  return async () => {
    const { rows } = await pool.query<Row>({ name: 'readiness', text: TEXT, values }).catch(explainUndefined)
    const [row] = rows
    if (row?.isReadOnly) throw unavailable('The database is read-only.')
    if (row?.applied !== names.length) throw unavailable('The database lacks migrations.')
    if (row.feature !== null) throw unavailable(`This version cannot honour the enabled feature ${row.feature}.`)
    await checkColumns(row.state)
  }
}

function explainUndefined(error: unknown): never {
  if (error instanceof pg.DatabaseError && UNDEFINED.includes(error.code ?? ''))
    throw unavailable('The database lacks migrations.')
  throw error
}

function unavailable(reason: string): Failure {
  return new Failure('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: new Error(reason) })
}
