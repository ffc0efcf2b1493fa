import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { describePostgres, parsePostgresUrl } from '../lib/postgres-url.ts'
import { StartupError } from '../lib/startup-error.ts'
import { connectDirectly, openPlainPool, openPool, type DatabaseServer, type Direct } from './connection/index.ts'
import { explainPooler, requireSameDatabase } from './connection/check.ts'
import { UtcPrismaPg } from './connection/client.ts'
import { describeError, waitForServer } from './connection/wait.ts'
import { openEmbedded, type Embedded } from './embedded/index.ts'
import { vacuumTables } from './embedded/vacuum.ts'
import type { Report } from './migrations/locks.ts'
import { prepareTables, requireTables } from './migrations/prepare.ts'
import { renewStalePlans } from './stale-plans.ts'
import { nameStatement } from './sql.ts'

/** SQLSTATE */
const INSUFFICIENT_PRIVILEGE = '42501'

/** A server, or the directory of the embedded PostgreSQL. */
export type DatabaseTarget = (DatabaseServer | Readonly<{ directory: string }>) & {
  /** Whether missing migrations are applied. Otherwise, a database without them is rejected. Default: true */
  readonly migrates?: boolean
}

/** One connection pool, shared by Prisma and by frequent queries that bypass Prisma. */
export type Database = {
  prisma: PrismaClient
  pool: pg.Pool
  /** Frees the space of deleted rows and updates the statistics. Undefined on a server, where autovacuum does so. */
  vacuum?: (() => Promise<void>) | undefined
  close(): Promise<void>
}

/**
 * Connects, applies missing migrations, and opens the pool.
 *
 * @param opening the embedded database of the directory, if it is being opened already
 * @param report receives the progress of migrations
 * @throws StartupError when the database cannot be reached or migrated
 */
export async function openDatabase(
  target: DatabaseTarget,
  opening?: Promise<Embedded>,
  report?: Report,
): Promise<Database> {
  const embedded = 'url' in target ? undefined : await (opening ?? openEmbedded(target.directory))
  const prepare = (client: pg.ClientBase): Promise<unknown> =>
    target.migrates === false ? requireTables(client) : prepareTables(client, report)
  await onClient(target, embedded, prepare).catch(async (error: unknown) => {
    await embedded?.close()
    throw error
  })

  const types = { getTypeParser }
  const pool = 'url' in target ? openPool(target, types) : openPlainPool(embedded?.poolOptions ?? {}, types)
  // A connection is still in a transaction if its COMMIT or ROLLBACK timed out. Later writes on it would be acknowledged and then lost.
  pool.on('release', (_error, client) => {
    if (client.getTransactionStatus() !== 'I') void client.end()
  })
  renewStalePlans(pool)
  if ('url' in target && target.directUrl !== undefined) await requireServed(pool, target)
  const prisma = new PrismaClient({
    adapter: new UtcPrismaPg(pool, {
      statementNameGenerator: ({ sql }) => nameStatement(sql),
      onPoolError: () => undefined,
    }),
  })
  return {
    prisma,
    pool,
    ...(embedded && { vacuum: () => vacuumTables(pool) }),
    async close() {
      await prisma.$disconnect()
      await pool.end()
      await embedded?.close()
    },
  }
}

/**
 * Runs work on one connection to a database, without a pooler and without timeouts.
 *
 * @throws StartupError when the database cannot be reached, and whatever the work throws as one
 */
export async function onDatabase<Result>(
  target: DatabaseTarget,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const embedded = 'url' in target ? undefined : await openEmbedded(target.directory)
  return onClient(target, embedded, work).finally(() => embedded?.close())
}

async function onClient<Result>(
  target: DatabaseTarget,
  embedded: Embedded | undefined,
  work: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  try {
    const { client, close } = 'url' in target ? await connectDirectly(target) : await connectEmbedded(embedded)
    const comparing = 'url' in target ? requireSameDatabase(target) : Promise.resolve()
    return await comparing.then(() => work(client)).finally(close)
  } catch (error) {
    if (error instanceof StartupError || !('url' in target)) throw error
    const { url, directUrl } = target
    throw directUrl === undefined
      ? explain(error, 'DATABASE_URL', url)
      : explain(error, 'DATABASE_DIRECT_URL', directUrl)
  }
}

/** Waits until the pooler accepts connections, which the migrations have not used. */
async function requireServed(pool: pg.Pool, { url, wait }: DatabaseServer): Promise<void> {
  await waitForServer(() => pool.query('SELECT 1'), wait).catch(async (error: unknown) => {
    await pool.end()
    throw explain(error, 'DATABASE_URL', url)
  })
}

function explain(error: unknown, name: string, url: string): StartupError {
  const place = describePostgres(parsePostgresUrl(url))
  const message = explainPooler(error, name) ?? `Cannot use ${place}: ${describeError(error)}. ${adviseOn(error, name)}`
  return new StartupError(message, { cause: error })
}

/** Returns what to check. If a statement is not allowed, the URL is right, and another user is needed. */
function adviseOn(error: unknown, name: string): string {
  return (error as pg.DatabaseError).code === INSUFFICIENT_PRIVILEGE
    ? `The user of ${name} lacks this right: run migrate as the owner of the tables, see docs/operate.md#two-roles.`
    : `Check ${name}.`
}

async function connectEmbedded(embedded: Embedded | undefined): Promise<Direct> {
  const client = new pg.Client(embedded?.poolOptions)
  client.on('error', () => undefined)
  await client.connect()
  return { client, close: () => client.end() }
}

/** Returns parsers that match Prisma: 64-bit integers become a bigint, and dates become midnight in UTC. */
function getTypeParser(...[type, format]: Parameters<typeof pg.types.getTypeParser>): (wire: string) => unknown {
  if (format !== 'binary' && type === pg.types.builtins.INT8) return BigInt
  if (format !== 'binary' && type === pg.types.builtins.DATE) return (wire) => new Date(`${wire}T00:00:00Z`)
  return pg.types.getTypeParser(type, format) as (wire: string) => unknown // pg declares the result as any
}
