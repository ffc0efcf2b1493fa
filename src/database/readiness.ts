import pg from 'pg'
import { describeMissing, findMissingColumns } from './compatibility/columns.ts'
import { FEATURES } from './compatibility/features.ts'
import { unavailable } from './outages.ts'
import { listMigrations } from './migrations/files.ts'

/** FOR UPDATE locks nothing here. A server that is read-only rejects it with an error, which replaces the connections to it. */
const TEXT = `SELECT EXISTS (SELECT FROM instances WHERE false FOR UPDATE), count(*) FILTER (WHERE migration_name = ANY($1))::int AS applied,
  count(*) || ' ' || max(finished_at) AS state,
  (SELECT min(name) FROM enabled_features WHERE name <> ALL($2)) AS feature
  FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`

type Row = { applied: number; state: string; feature: string | null }

/** What SQLSTATEs mean here: a table or column does not exist, or a statement that locks was rejected. */
const REASONS: Readonly<Record<string, string>> = {
  '42P01': 'The database lacks migrations.',
  '42703': 'The database lacks migrations.',
  '25006': 'The database is read-only.',
}

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
    if (missing.length > 0) throw notReady(describeMissing(missing))
    checkedState = state
  }
  return async () => {
    const { rows } = await pool.query<Row>({ name: 'readiness', text: TEXT, values }).catch(explain)
    const [row] = rows
    if (row?.applied !== names.length) throw notReady('The database lacks migrations.')
    if (row.feature !== null) throw notReady(`This version cannot honour the enabled feature ${row.feature}.`)
    await checkColumns(row.state)
  }
}

function explain(error: unknown): never {
  const reason = error instanceof pg.DatabaseError ? REASONS[error.code ?? ''] : undefined
  throw reason === undefined ? error : notReady(reason)
}

function notReady(reason: string): Error {
  return unavailable(new Error(reason))
}
