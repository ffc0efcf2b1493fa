import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { StartupError } from '../lib/startup-error.ts'
import { openEmbedded, type Embedded } from './embedded/index.ts'
import { migrate } from './migrations.ts'
import { loadReference } from './reference-data.ts'
import { nameStatement } from './statement-names.ts'

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url)

const CONNECT_MS_MAX = 1000
const STATEMENT_MS_MAX = 2000

/** The URL of a server, or the directory of the embedded PostgreSQL. */
export type DatabaseTarget = Readonly<{ url: string; connectionsMax: number }> | Readonly<{ directory: string }>

/** One connection pool, shared by Prisma and by frequent queries that bypass Prisma. */
export type Database = { prisma: PrismaClient; pool: pg.Pool; close(): Promise<void> }

/**
 * Connects, applies missing migrations, and opens the pool.
 *
 * @param opening the embedded database of the directory, if it is being opened already
 * @throws StartupError when the database cannot be reached or migrated
 */
export async function openDatabase(target: DatabaseTarget, opening?: Promise<Embedded>): Promise<Database> {
  const embedded = 'url' in target ? undefined : await (opening ?? openEmbedded(target.directory))
  const options = embedded?.poolOptions ?? serverOptions(target as Extract<DatabaseTarget, { url: string }>)
  await migrateBy(options, target).catch(async (error: unknown) => {
    await embedded?.close()
    throw error
  })

  const pool = new pg.Pool({ ...options, ...timeouts(embedded), types: { getTypeParser } })
  pool.on('error', () => undefined) // an idle connection broke; the next query uses another one
  pool.on('release', (_error, client) => retireUnlessIdle(client))
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, {
      statementNameGenerator: ({ sql }) => nameStatement(sql),
      onPoolError: () => undefined,
    }),
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

function serverOptions({ url, connectionsMax }: Extract<DatabaseTarget, { url: string }>): pg.PoolConfig {
  return {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    // The adapter sends timestamps without an offset, in UTC. Compiling a statement takes longer than any of ours runs.
    options: '-c timezone=UTC -c jit=off',
    application_name: 'tawthiq',
    keepAlive: true,
  }
}

/** Returns no timeouts for the embedded database: it needs no network, and can be slow on a busy machine. */
function timeouts(embedded: Embedded | undefined): pg.PoolConfig {
  return embedded ? {} : { query_timeout: STATEMENT_MS_MAX, statement_timeout: STATEMENT_MS_MAX }
}

/**
 * Closes a connection that is still in a transaction when it returns to the pool, because its COMMIT or ROLLBACK timed
 * out. Later writes on it would be acknowledged and then lost.
 */
function retireUnlessIdle(client: pg.PoolClient): void {
  if (client.getTransactionStatus() !== 'I') void client.end()
}

/** Applies the migrations and the lookup rows of prisma/. */
export async function prepareTables(client: pg.Client): Promise<void> {
  await migrate(client, MIGRATIONS)
  await loadReference(client)
}

async function migrateBy(options: pg.PoolConfig, target: DatabaseTarget): Promise<void> {
  try {
    const client = new pg.Client(options)
    client.on('error', () => undefined)
    await client.connect()
    await prepareTables(client).finally(() => client.end())
  } catch (error) {
    if (error instanceof StartupError || !('url' in target)) throw error
    const { host, pathname } = new URL(target.url)
    throw new StartupError(
      `Cannot use the database ${pathname.slice(1)} at ${host}: ${(error as Error).message}. Check DATABASE_URL.`,
      { cause: error },
    )
  }
}

/** Returns parsers that match Prisma: 64-bit integers become a bigint, and dates become midnight in UTC. */
function getTypeParser(...[type, format]: Parameters<typeof pg.types.getTypeParser>): (wire: string) => unknown {
  if (format !== 'binary' && type === pg.types.builtins.INT8) return BigInt
  if (format !== 'binary' && type === pg.types.builtins.DATE) return (wire) => new Date(`${wire}T00:00:00Z`)
  return pg.types.getTypeParser(type, format) as (wire: string) => unknown // pg declares the result as any
}
