import pg from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { connectDirectly, openPool, type DatabaseServer } from './index.ts'

/** Differs between servers that run, even if one is a copy of the other, and between databases of a server. */
const IDENTITY = `SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || oid::text AS identity
  FROM pg_database WHERE datname = current_database()`

/**
 * Compares the databases of both URLs: migrations and commands would change another one than the service uses. A database
 * that cannot be reached is not compared, because its own connection reports that.
 *
 * @throws StartupError if DATABASE_DIRECT_URL leads to another database
 */
export async function requireSameDatabase(server: DatabaseServer): Promise<void> {
  if (server.directUrl === undefined || server.directUrl === server.url) return
  const [served, direct] = await Promise.all([readServed(server), readDirect(server)].map(orUndefined))
  if (served === undefined || direct === undefined || served === direct) return
  throw new StartupError(
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL, so migrations and commands would change the wrong one. Set both to the same database of the same server.',
  )
}

async function readServed(server: DatabaseServer): Promise<string | undefined> {
  const pool = openPool({ ...server, connectionsMax: 1 }, pg.types)
  pool.on('error', () => undefined)
  return readIdentity(pool).finally(() => pool.end())
}

async function readDirect(server: DatabaseServer): Promise<string | undefined> {
  const { client, close } = await connectDirectly(server)
  return readIdentity(client).finally(close)
}

async function readIdentity(driver: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await driver.query<{ identity: string }>(IDENTITY)
  return rows[0]?.identity
}

function orUndefined<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch(() => undefined)
}
