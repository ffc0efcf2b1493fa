import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { ClientBase } from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { transact } from '../transaction.ts'
import { splitStatements, type Migration } from './files.ts'
import { LOCK_MS_MAX, retryLocks, withMigrationLock, type Report } from './locks.ts'
import { readMigrationState } from './state.ts'

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`

/** A migration that takes longer is reported before it ends. */
const STILL_RUNNING_MS = 10_000

/**
 * Applies missing migrations in the same way as `prisma migrate deploy`: same table, same checksums, same lock. Tables
 * that others use are only locked for a moment at a time. If nothing is missing, the user of the database needs no right to
 * change it.
 *
 * @returns the names of the applied migrations
 * @throws StartupError when a migration failed earlier, was edited after it was applied, or fails now
 */
export async function migrate(client: ClientBase, directory: URL, report: Report = () => undefined): Promise<string[]> {
  const { pending } = await readMigrationState(client, directory)
  return pending.length === 0 ? [] : withMigrationLock(client, report, () => applyPending(client, directory, report))
}

async function applyPending(client: ClientBase, directory: URL, report: Report): Promise<string[]> {
  await client.query('SET statement_timeout = 0') // a role can have one of its own
  await client.query(CREATE_TABLE)
  const { pending } = await readMigrationState(client, directory) // another process may have applied them
  for (const migration of pending) await timed(migration.name, report, () => apply(client, migration, report))
  return pending.map(({ name }) => name)
}

async function timed(name: string, report: Report, work: () => Promise<void>): Promise<void> {
  const startedAtMs = performance.now()
  const seconds = (): string => ((performance.now() - startedAtMs) / 1000).toFixed(1)
  const timer = setInterval(() => report(`migration ${name} is running (${seconds()} s)`), STILL_RUNNING_MS)
  try {
    await work()
    report(`migration ${name} applied in ${seconds()} s`)
  } finally {
    clearInterval(timer)
  }
}

/**
 * Applies a migration and stores its row. Both are one transaction, unless the migration runs outside of one: then an
 * interrupted one is repeated.
 *
 * @throws StartupError when it fails
 */
async function apply(client: ClientBase, migration: Migration, report: Report): Promise<void> {
  const attempt = migration.isOutside ? applyOutside : applyInTransaction
  try {
    await retryLocks(migration.name, report, () => attempt(client, migration))
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The migration ${migration.name} failed: ${String(error)}`, { cause: error })
  }
}

async function applyInTransaction(client: ClientBase, migration: Migration): Promise<void> {
  await transact(client, async () => {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`)
    await client.query(migration.sql)
    await storeRow(client, migration)
  })
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
