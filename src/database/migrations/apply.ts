import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { splitStatements, type Migration } from './files.ts'
import { LOCK_MS_MAX, retryLocks, type Report } from './locks.ts'

/**
 * Applies a migration and stores its row. Both are one transaction, unless the migration runs outside of one: then an
 * interrupted one is repeated.
 *
 * @throws StartupError when it fails
 */
export async function apply(client: ClientBase, migration: Migration, report: Report): Promise<void> {
  const attempt = migration.isOutside ? applyOutside : applyInTransaction
  try {
    await retryLocks(migration.name, report, () => attempt(client, migration))
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The migration ${migration.name} failed: ${String(error)}`, { cause: error })
  }
}

async function applyInTransaction(client: ClientBase, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`)
    await client.query(migration.sql)
    await storeRow(client, migration)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** Building an index concurrently waits for other transactions, but lets them read and write. */
async function applyOutside(client: ClientBase, migration: Migration): Promise<void> {
  for (const statement of splitStatements(migration.sql)) {
    const [, index] = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/.exec(statement) ?? []
    if (index === undefined || !(await isBuilt(client, index))) await client.query(statement)
  }
  await storeRow(client, migration)
}

/** Returns whether an index exists. One that an interrupted build has left is invalid, and is dropped. */
async function isBuilt(client: ClientBase, index: string): Promise<boolean> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [`"${index}"`],
  )
  if (rows[0]?.valid === false) await client.query(`DROP INDEX CONCURRENTLY "${index}"`)
  return rows[0]?.valid ?? false
}

async function storeRow(client: ClientBase, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  )
}
