// Embedded databases for tests. Opening one takes a third of a second of CPU time, emptying it a few milliseconds. So a
// closed database is emptied and reused in the same process.
import { systemClock } from '../../../src/adapters/clock.ts'
import { REFERENCE_TABLES, loadReference } from '../../../src/database/reference-data.ts'
import { openEngine, type Backend } from '../../../src/database/embedded/engine.ts'
import { alreadyOpen, databasePath, openEmbedded, type Embedded } from '../../../src/database/embedded/index.ts'
import { lockDirectory } from '../../../src/database/embedded/lock.ts'
import { WireSocket } from '../../../src/database/embedded/thread.ts'
import { openDatabase, type Database } from '../../../src/database/index.ts'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Test } from 'tap'
import { temporaryFolder } from '../processes/process.ts'
import { followClock } from './moved-clock.ts'
import { isSuite } from './suite.ts'

const PRESERVED_TABLES: readonly string[] = [
  '_prisma_migrations',
  'enabled_features',
  'reference_state',
  ...REFERENCE_TABLES,
]
/** Deleted rows remain in their pages, so larger tables are truncated. For small tables, deleting is faster. */
const DELETED_BYTES_MAX = 2 ** 20
const EMPTY_MS_MAX = 20_000

type Pooled = { directory: string; embedded: Embedded; database: Database; referenceVersion: bigint }

const idle: Pooled[] = []

/** Opens an embedded database with all tables and lookups. Closing it makes it available to the next caller. */
export async function embeddedDatabase(): Promise<Database> {
  const pooled = idle.pop() ?? (await open())
  const { prisma, pool, vacuum } = pooled.database
  return { prisma, pool, vacuum, close: () => release(pooled) }
}

/**
 * Makes a data directory that has such a database until the end of the test. Services and commands in this process open
 * and close it, one after the other, like a database of their own. Other processes fail to open it.
 */
export async function pooledDirectory(t: Test): Promise<string> {
  const directory = temporaryFolder()
  const pooled = idle.pop() ?? (await open())
  await pooled.database.close()
  alreadyOpen.set(directory, withoutClose(pooled.embedded))
  writeFileSync(join(directory, 'database'), '') // commands require that it exists
  t.teardown(async () => {
    const unlock = await lockDirectory(directory) // fails if it is still open
    alreadyOpen.delete(directory)
    await unlock()
    pooled.database = await connect(pooled)
    await release(pooled)
  })
  return directory
}

async function open(): Promise<Pooled> {
  const directory = mkdtempSync(join(tmpdir(), 'tawthiq-database-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const embedded = await (isSuite ? openHere(directory) : openEmbedded(directory))
  const database = await connect({ directory, embedded })
  return { directory, embedded, database, referenceVersion: await referenceVersion(database) }
}

/** Optimizes the code of PostgreSQL ten times earlier than the service does, because a process of the suite runs many queries. */
const WASM_FLAGS = '--wasm-tiering-budget=20000000'

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * Opens a database in the thread of the tests. Messages between threads would take a fifth of the CPU time of the suite.
 * Each query waits for the next turn, so that other requests proceed in between, as with a thread.
 */
async function openHere(directory: string): Promise<Embedded> {
  compiled ??= compilePostgres()
  const engine = await openEngine(databasePath(directory), await compiled)
  const backend: Backend = {
    reset: () => nextTurn().then(() => engine.reset()),
    run: (messages) => nextTurn().then(() => engine.run(messages)),
  }
  const stream = (): WireSocket => new WireSocket(backend)
  return {
    poolOptions: { user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0, stream },
    close: () => engine.close(),
  }
}

function compilePostgres(): Promise<WebAssembly.Module> {
  setFlagsFromString(WASM_FLAGS) // replaces that of the engine
  return WebAssembly.compile(readFileSync(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

/** Connects to an open database. */
function connect({ directory, embedded }: Pick<Pooled, 'directory' | 'embedded'>): Promise<Database> {
  return openDatabase({ directory }, Promise.resolve(withoutClose(embedded)))
}

function withoutClose({ poolOptions }: Embedded): Embedded {
  return { poolOptions, close: () => Promise.resolve() }
}

/** Empties a database for reuse, or closes it if that fails. */
async function release(pooled: Pooled): Promise<void> {
  if (isSuite && (await isEmptied(pooled))) {
    idle.push(pooled)
    return
  }
  await pooled.database.close()
  await pooled.embedded.close()
}

/** Empties a database. Returns whether that was possible. */
async function isEmptied(pooled: Pooled): Promise<boolean> {
  const emptied = empty(pooled).then(
    () => true,
    () => false,
  )
  return Promise.race([emptied, new Promise<false>((resolve) => setTimeout(resolve, EMPTY_MS_MAX, false).unref())])
}

async function empty(pooled: Pooled): Promise<void> {
  const { database } = pooled
  const { pool } = database
  followClock(database, systemClock)
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
  if ((await referenceVersion(database)) !== pooled.referenceVersion)
    pooled.referenceVersion = await restoreReference(database)
}

async function referenceVersion({ pool }: Database): Promise<bigint> {
  const { rows } = await pool.query<{ version: bigint }>('SELECT version FROM reference_state')
  return rows[0]?.version ?? 0n
}

/** Loads the lookups again. Returns their new version. */
async function restoreReference(database: Database): Promise<bigint> {
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
  return referenceVersion(database)
}
