import pg from 'pg'
import { down, StartupError, wrong, type Finding } from '../../lib/startup-error.ts'
import { connectDirectly, openPool, type DatabaseServer } from './index.ts'

/** Returns the advice for the error of a pooler that rejects start-up options; undefined for other errors. */
export function explainPooler(error: unknown, variable: string): string | undefined {
  if (!(error instanceof Error) || !/unsupported startup parameter/i.test(error.message)) return undefined
  return variable === 'DATABASE_URL'
    ? 'DATABASE_URL leads to a pooler. Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to the server behind it.'
    : 'DATABASE_DIRECT_URL leads to a pooler. Set it to the server behind the pooler.'
}

/** With fewer connections than these, tasks of the service itself fail if the pool is larger. */
const NEEDED = 3

type Capacity = { available: number; instances: number }

/** Connections that the server accepts from this role, and the instances that run, which may be from another machine */
const CAPACITY = `SELECT least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())) AS available,
  (SELECT count(*)::int FROM instances WHERE NOT is_stopped AND seen_at > now() - interval '90 seconds') AS instances`

/** Returns a finding if the pools of all instances can need more connections than the server accepts. */
export async function checkCapacity(
  driver: Pick<pg.Pool | pg.ClientBase, 'query'>,
  { connectionsMax, isStarting }: { connectionsMax: number; isStarting: boolean },
): Promise<Finding | undefined> {
  const { rows } = await driver.query<Capacity>(CAPACITY)
  const [{ available, instances } = { available: Infinity, instances: 0 }] = rows
  const count = isStarting ? instances + 1 : Math.max(instances, 1)
  if (connectionsMax * count <= available) return undefined
  const report = available < NEEDED && connectionsMax > available ? wrong : down
  return report(
    `DATABASE_CONNECTIONS is ${connectionsMax} for each of ${count} instances, but PostgreSQL accepts ${available} connections. Requests would fail under load: set it to ${Math.max(Math.floor(available / count), 1)} or less, or raise max_connections.`,
  )
}

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
  const [served, direct] = await Promise.all(
    [onServed(server, readIdentity), readDirect(server)].map((reading) => reading.catch(() => undefined)),
  )
  if (served === undefined || direct === undefined || served === direct) return
  throw new StartupError(
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL, so migrations and commands would change the wrong one. Set both to the same database of the same server.',
  )
}

/** Runs work on a connection as the service has it, through the pooler if there is one. */
export async function onServed<Result>(
  server: DatabaseServer,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = openPool({ ...server, connectionsMax: 1 }, pg.types)
  return work(pool).finally(() => pool.end())
}

async function readDirect({ wait: _, ...server }: DatabaseServer): Promise<string | undefined> {
  const { client, close } = await connectDirectly(server)
  return readIdentity(client).finally(close)
}

async function readIdentity(driver: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await driver.query<{ identity: string }>(IDENTITY)
  return rows[0]?.identity
}
