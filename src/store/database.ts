import { PrismaPg } from '@prisma/adapter-pg'
import { createHash } from 'node:crypto'
import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { StartFailure } from '../start-failure.ts'
import { openEmbedded, type Embedded } from './embedded/index.ts'
import { migrate } from './migrate.ts'
import { loadReference } from './reference.ts'

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url)

const CONNECT_MS_MAX = 1000
const STATEMENT_MS_MAX = 2000
const PREPARED_STATEMENTS_MAX = 500

/** A server by its address, or the embedded PostgreSQL in a folder. */
export type Place = Readonly<{ url: string; connectionsMax: number }> | Readonly<{ folder: string }>

/** One pool, shared by Prisma and by the few queries that are too hot for it. */
export type Database = { prisma: PrismaClient; pool: pg.Pool; close(): Promise<void> }

/**
 * Connects, applies the migrations that are missing, and opens the pool.
 *
 * @throws StartFailure when the database cannot be reached or migrated
 */
export async function openDatabase(place: Place): Promise<Database> {
  const embedded = 'url' in place ? undefined : await openEmbedded(place.folder)
  const options = embedded?.poolOptions ?? serverOptions(place as Extract<Place, { url: string }>)
  await migrateBy(options, place).catch(async (error: unknown) => {
    await embedded?.close()
    throw error
  })

  const pool = new pg.Pool({ ...options, ...timeouts(embedded) })
  pool.on('error', () => undefined) // an idle connection broke: the next query takes another one
  pool.on('release', (_error, client) => retireUnlessIdle(client))
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator, onPoolError: () => undefined }),
  })
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect()
      await pool.end()
      await embedded?.close()
    },
  }
}

function serverOptions({ url, connectionsMax }: Extract<Place, { url: string }>): pg.PoolConfig {
  return {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    // The adapter sends timestamps without an offset.
    options: '-c timezone=UTC',
    application_name: 'tawthiq',
    keepAlive: true,
  }
}

/** The embedded database has no network to lose, and may be slow on a busy machine. */
function timeouts(embedded: Embedded | undefined): pg.PoolConfig {
  return embedded ? {} : { query_timeout: STATEMENT_MS_MAX, statement_timeout: STATEMENT_MS_MAX }
}

/**
 * A transaction whose COMMIT or ROLLBACK timed out comes back to the pool still open: what is written next on that
 * connection would be acknowledged and then lost.
 */
function retireUnlessIdle(client: pg.PoolClient): void {
  if (client.getTransactionStatus() !== 'I') void client.end()
}

/** Brings the tables, and the rows of lookups in them, to the state of prisma/. */
export async function prepareTables(client: pg.Client): Promise<void> {
  await migrate(client, MIGRATIONS)
  await loadReference(client)
}

async function migrateBy(options: pg.PoolConfig, place: Place): Promise<void> {
  try {
    const client = new pg.Client(options)
    client.on('error', () => undefined)
    await client.connect()
    await prepareTables(client).finally(() => client.end())
  } catch (error) {
    if (error instanceof StartFailure || !('url' in place)) throw error
    const { host, pathname } = new URL(place.url)
    throw new StartFailure(
      `The database ${pathname.slice(1)} at ${host} cannot be used: ${(error as Error).message}.`,
      { cause: error },
    )
  }
}

const names = new Map<string, string>()

/** Lets PostgreSQL prepare each statement of Prisma once for a connection. */
function statementNameGenerator({ sql }: { sql: string }): string {
  const name = names.get(sql) ?? `p${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
  if (names.size < PREPARED_STATEMENTS_MAX) names.set(sql, name)
  return name
}
