// Embedded databases for tests. Opening one takes a second of CPU time, emptying it a few milliseconds. So a closed
// database is emptied and reused in the same process.
import { REFERENCE_TABLES, loadReference } from '../../../src/database/reference-data.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSuite } from './suite.ts'

const PRESERVED_TABLES: readonly string[] = ['_prisma_migrations', 'reference_state', ...REFERENCE_TABLES]
/** Deleted rows remain in their pages, so larger tables are truncated. For small tables, deleting is faster. */
const DELETED_BYTES_MAX = 2 ** 20
const EMPTY_MS_MAX = 20_000

type Embedded = Database & { referenceVersion: bigint }

const idle: Embedded[] = []

/** Opens an embedded database with all tables and lookups. Closing it makes it available to the next caller. */
export async function embeddedDatabase(): Promise<Database> {
  const database = idle.pop() ?? (await open())
  const { prisma, pool, vacuum } = database
  return { prisma, pool, vacuum, close: () => release(database) }
}

async function open(): Promise<Embedded> {
  const directory = mkdtempSync(join(tmpdir(), 'tawthiq-database-'))
  const database = await openDatabase({ directory })
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return { ...database, referenceVersion: await referenceVersion(database) }
}

/** Empties a database for reuse, or closes it if that fails. */
async function release(database: Embedded): Promise<void> {
  if (!isSuite) return database.close()
  const emptied = empty(database).then(
    () => true,
    () => false,
  )
  const isEmpty = await Promise.race([
    emptied,
    new Promise<false>((resolve) => setTimeout(resolve, EMPTY_MS_MAX, false).unref()),
  ])
  if (isEmpty) idle.push(database)
  else await database.close()
}

async function empty(database: Embedded): Promise<void> {
  const { pool } = database
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `SELECT relname AS name, pg_relation_size(oid) AS bytes
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  )
  const emptied = rows
    .filter(({ name, bytes }) => Number(bytes) > 0 && !PRESERVED_TABLES.includes(name))
    .map(({ name, bytes }) => `${Number(bytes) > DELETED_BYTES_MAX ? 'TRUNCATE' : 'DELETE FROM'} "${name}";`)
  // Triggers are disabled: some reject deletions, and others delete row by row.
  await pool.query(`
    SET session_replication_role = replica;
    ${emptied.join('\n')}
    SET session_replication_role = origin;
    SELECT setval(oid, 1, false) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S';`)
  if ((await referenceVersion(database)) !== database.referenceVersion) await restoreReference(database)
}

async function referenceVersion({ pool }: Database): Promise<bigint> {
  const { rows } = await pool.query<{ version: bigint }>('SELECT version FROM reference_state')
  return rows[0]?.version ?? 0n
}

async function restoreReference(database: Embedded): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query(`
      SET session_replication_role = replica;
      ${REFERENCE_TABLES.map((table) => `DELETE FROM "${table}";`).join('\n')}
      UPDATE reference_state SET checksum = '';
      SET session_replication_role = origin;`)
    await loadReference(client)
  } finally {
    client.release()
  }
  database.referenceVersion = await referenceVersion(database)
}
