// Databases for tests. Opening an embedded database takes a second of CPU time, emptying it a few milliseconds. So a
// closed database is emptied and reused in the same process. On a server, each database is a copy of a template.
import { REFERENCE_TABLES, loadReference } from '../../../src/database/reference-data.ts'
import type { DatabaseServer } from '../../../src/database/connection/index.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const PRESERVED_TABLES: readonly string[] = ['_prisma_migrations', 'reference_state', ...REFERENCE_TABLES]
/** Deleted rows remain in their pages, so larger tables are truncated. For small tables, deleting is faster. */
const DELETED_BYTES_MAX = 2 ** 20
const EMPTY_MS_MAX = 20_000

type Embedded = Database & { referenceVersion: bigint }

const idle: Embedded[] = []

/** Opens an embedded database with all tables and lookups. Closing it makes it available to the next caller. */
export async function embeddedDatabase(): Promise<Database> {
  const database = idle.pop() ?? (await open())
  return { prisma: database.prisma, pool: database.pool, close: () => release(database) }
}

async function open(): Promise<Embedded> {
  const directory = mkdtempSync(join(tmpdir(), 'tawthiq-database-'))
  const database = await openDatabase({ directory })
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return { ...database, referenceVersion: await referenceVersion(database) }
}

/** Set by the runner of the suite. A file that runs alone closes its database, which would keep its process alive. */
const IS_SUITE = process.env['PAIRS_DIR'] !== undefined

/** Empties a database for reuse, or closes it if that fails. */
async function release(database: Embedded): Promise<void> {
  if (!IS_SUITE) return database.close()
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

const SERVER = process.env['DATABASE_URL']
/** With a pooler in DATABASE_URL: the server behind it, which creates databases */
const DIRECT = process.env['DATABASE_DIRECT_URL']
const IS_POOLED = process.env['DATABASE_POOLER'] === 'transaction'
/** The template database of a suite run. Without one, test files start with empty databases. */
const TEMPLATE = process.env['TEST_TEMPLATE']

export type OwnDatabase = {
  /** Undefined for an embedded database */
  url: string | undefined
  /** The same without a pooler */
  directUrl: string | undefined
  /** The variables of a service on this database, for a process of its own; empty for an embedded database */
  environment: Readonly<Record<string, string>>
  drop: () => Promise<void>
}

/** Returns how to open a database of this server, through the pooler if there is one. */
export function serverTarget(url: string, connectionsMax = 10): DatabaseServer {
  return { url, connectionsMax, ...(IS_POOLED && { pooler: 'transaction', directUrl: onDirect(url) }) }
}

/** Returns the URL of the same database without the pooler. */
function onDirect(url: string): string {
  const direct = new URL(DIRECT ?? url)
  direct.pathname = new URL(url).pathname
  return direct.toString()
}

/** Creates a database with all tables and lookups. Without a server, `url` is undefined and the database is embedded. */
export async function ownDatabase(): Promise<OwnDatabase> {
  return createDatabase(TEMPLATE)
}

/** Creates a database without tables on the server. */
export async function emptyOwnDatabase(): Promise<OwnDatabase> {
  return createDatabase(undefined)
}

/** Creates the template database of a suite run. `name` is the value of TEST_TEMPLATE. */
export async function makeTemplate(): Promise<{ name: string | undefined; drop: () => Promise<void> }> {
  const { url, drop } = await createDatabase(undefined)
  if (url === undefined) return { name: undefined, drop }
  await (await openDatabase({ url: onDirect(url), connectionsMax: 1 })).close()
  return { name: new URL(url).pathname.slice(1), drop }
}

async function createDatabase(template: string | undefined): Promise<OwnDatabase> {
  if (SERVER === undefined)
    return { url: undefined, directUrl: undefined, environment: {}, drop: async () => undefined }
  const name = `tawthiq_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`)
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    directUrl: onDirect(url.toString()),
    environment: {
      DATABASE_URL: url.toString(),
      ...(IS_POOLED && { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: onDirect(url.toString()) }),
    },
    drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: DIRECT ?? SERVER })
  await client.connect()
  await client.query(sql)
  await client.end()
}
