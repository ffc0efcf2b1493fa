// The state that a database needs before the service uses it.
import type { ClientBase } from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { requireColumns } from '../compatibility/columns.ts'
import { enableAllFeatures, requireKnownFeatures } from '../compatibility/features.ts'
import { migrate } from './index.ts'
import type { Report } from './locks.ts'
import { MIGRATIONS } from './files.ts'
import { readMigrationState, type MigrationState } from './state.ts'
import { isReferenceCurrent, loadReference } from '../reference-data.ts'

/** Only a new database lacks it. */
const FIRST_MIGRATION = '20261121022203_accounts'

/**
 * Applies the migrations and the lookup rows of prisma/. Returns the names of the applied migrations.
 *
 * @throws StartupError if this version cannot use the database, because a later one has changed it
 */
export async function prepareTables(client: ClientBase, report?: Report): Promise<string[]> {
  await requireKnownFeatures(client)
  const applied = await migrate(client, MIGRATIONS, report)
  if (applied.includes(FIRST_MIGRATION)) await enableAllFeatures(client)
  await requireColumns(client)
  await loadReference(client)
  return applied
}

/**
 * Checks that the tables can be used as they are. A database that a later version has migrated is accepted, because
 * instances of both versions run during an upgrade, unless it lacks what this version needs.
 *
 * @throws StartupError if migrations are missing, or this version cannot use the database
 */
export async function requireTables(client: ClientBase): Promise<void> {
  await requireKnownFeatures(client)
  const { pending } = await readMigrationState(client, MIGRATIONS)
  const [first] = pending
  if (!first) return requireColumns(client)
  throw new StartupError(
    `The database lacks ${pending.length} migrations, the first of which is ${first.name}, and MIGRATE_AT_START is no. Run node dist/service/main.js migrate first.`,
  )
}

export type TablesState = MigrationState & { isReferenceCurrent: boolean }

/** Compares the database with the migrations and the lookup rows of prisma/. Writes nothing. */
export async function readTablesState(client: ClientBase): Promise<TablesState> {
  const state = await readMigrationState(client, MIGRATIONS)
  const hasTable = state.applied.some((name) => name.endsWith('_lookups'))
  return { ...state, isReferenceCurrent: hasTable && (await isReferenceCurrent(client)) }
}
