import type { ClientBase } from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { readMigrations, type Migration } from './files.ts'

export type MigrationState = Readonly<{
  applied: readonly string[]
  /** In the order in which they are applied */
  pending: readonly Migration[]
  /** Applied migrations that this version does not have, because a later version applied them */
  later: readonly string[]
}>

/** What a database is before the first migration */
type Site = { encoding: string; hasAccounts: boolean }
const SITE = `SELECT current_setting('server_encoding') AS encoding, to_regclass('accounts') IS NOT NULL AS "hasAccounts"`

type Row = { name: string; checksum: string; finished: boolean }

/**
 * Compares the database with the migrations of a directory. Writes nothing, and needs no right but to read the table of
 * migrations.
 *
 * @throws StartupError when a migration failed earlier, or was edited after it was applied, or the tables cannot be created
 */
export async function readMigrationState(client: ClientBase, directory: URL): Promise<MigrationState> {
  const { rows: sites } = await client.query<Site>(SITE) // first, because another instance may be creating the tables
  const rows = await readRows(client)
  const migrations = readMigrations(directory)
  rejectFaults(rows, migrations)
  const known = new Set(migrations.map(({ name }) => name))
  const names = rows.map(({ name }) => name)
  const applied = names.filter((name) => known.has(name))
  const problem = applied.length === 0 && sites[0] && describeForeign(sites[0])
  if (problem) throw new StartupError(problem)
  return {
    applied,
    pending: migrations.filter(({ name }) => !names.includes(name)),
    later: names.filter((name) => !known.has(name)).sort(),
  }
}

async function readRows(client: ClientBase): Promise<Row[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS exists`,
  )
  if (!found[0]?.exists) return []
  const { rows } = await client.query<Row>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  )
  return rows
}

function rejectFaults(rows: readonly Row[], migrations: readonly Migration[]): void {
  const failed = rows.find(({ finished }) => !finished)
  if (failed) {
    throw new StartupError(`The migration ${failed.name} failed earlier. Resolve it with npx prisma migrate resolve.`)
  }
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const edited = migrations.find(({ name, checksum, replaced }) => {
    const found = applied.get(name)
    return found !== undefined && found !== checksum && !replaced.includes(found)
  })
  if (edited)
    throw new StartupError(`The migration ${edited.name} was edited after it was applied. Restore the original file.`)
}

/** Returns why the migrations would stop half way in a database that has none of them. */
function describeForeign({ encoding, hasAccounts }: Site): string | undefined {
  if (hasAccounts)
    return 'The database has a table "accounts" of another application. Create a database for this service, and set DATABASE_URL to it.'
  if (encoding === 'UTF8') return undefined
  return `The database has the encoding ${encoding}, which lacks Arabic letters. Create it again with ENCODING 'UTF8' TEMPLATE template0.`
}
