import type pg from 'pg'
import { down, wrong, type Finding } from '../../lib/finding.ts'

type Settings = { timeout: string; dateStyle: string; jit: string }

/**
 * Returns what is missing in the settings of the sessions behind a pooler, which the service cannot set: a format of dates
 * that it can read, and a limit for statements that wait for a lock.
 */
export async function checkPooler(pool: pg.Pool): Promise<Finding | undefined> {
  const { rows } = await pool.query<Settings>(
    `SELECT current_setting('statement_timeout') AS timeout, current_setting('DateStyle') AS "dateStyle",
       current_setting('jit') AS jit`,
  )
  const [{ timeout, dateStyle, jit } = { timeout: '', dateStyle: '', jit: '' }] = rows
  if (!dateStyle.startsWith('ISO')) {
    return wrong(
      `The database has DateStyle ${dateStyle}. Run ALTER ROLE … SET DateStyle = 'ISO, YMD' for the role of DATABASE_URL.`,
    )
  }
  const missing = [...(timeout === '0' ? [`statement_timeout = '2s'`] : []), ...(jit === 'on' ? ['jit = off'] : [])]
  if (missing.length === 0) return undefined
  const commands = missing.map((each) => `ALTER ROLE … SET ${each}`).join('; ')
  return down(`Sessions behind the pooler lack settings of the service. Run for the role of DATABASE_URL: ${commands}.`)
}

/** Returns the advice for the error of a pooler that rejects start-up options; undefined for other errors. */
export function explainPooler(error: unknown, variable: string): string | undefined {
  if (!(error instanceof Error) || !/unsupported startup parameter/i.test(error.message)) return undefined
  return variable === 'DATABASE_URL'
    ? 'DATABASE_URL leads to a pooler. Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to the server behind it.'
    : 'DATABASE_DIRECT_URL leads to a pooler. Set it to the server behind the pooler.'
}

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
  return down(
    `DATABASE_CONNECTIONS is ${connectionsMax} for each of ${count} instances, but PostgreSQL accepts ${available} connections. Requests would fail under load: set it to ${Math.max(Math.floor(available / count), 1)} or less, or raise max_connections.`,
  )
}
