import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { StartupError } from '../lib/startup-error.ts'

/** The id of the advisory lock of Prisma's `migrate deploy`. */
const PRISMA_LOCK = 72707369

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`

type Migration = { name: string; sql: string; checksum: string }
type Row = { name: string; checksum: string; finished: boolean }

/**
 * Applies missing migrations in the same way as `prisma migrate deploy`: same table, same checksums, same lock. Each
 * migration and its row in the table are one transaction, so an interrupted start leaves no partial migration.
 *
 * @throws StartupError when a migration failed earlier, was edited after it was applied, or fails now
 */
export async function migrate(client: ClientBase, directory: URL): Promise<string[]> {
  await client.query(`SELECT pg_advisory_lock(${PRISMA_LOCK})`)
  try {
    await client.query(CREATE_TABLE)
    const missing = missingFrom(await appliedRows(client), readMigrations(directory))
    for (const migration of missing) await apply(client, migration)
    return missing.map(({ name }) => name)
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${PRISMA_LOCK})`)
  }
}

function readMigrations(directory: URL): Migration[] {
  const names = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names
    .map(({ name }) => {
      const bytes = readFileSync(new URL(`${name}/migration.sql`, directory))
      return { name, sql: bytes.toString(), checksum: createHash('sha256').update(bytes).digest('hex') }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function appliedRows(client: ClientBase): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  )
  return rows
}

function missingFrom(rows: Row[], migrations: Migration[]): Migration[] {
  const failed = rows.find(({ finished }) => !finished)
  if (failed) {
    throw new StartupError(`The migration ${failed.name} failed earlier. Resolve it with npx prisma migrate resolve.`)
  }
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const edited = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (edited)
    throw new StartupError(`The migration ${edited.name} was edited after it was applied. Restore the original file.`)
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw new StartupError(`The migration ${name} failed: ${String(error)}`, { cause: error })
  }
}
