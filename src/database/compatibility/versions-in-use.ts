import type { ClientBase } from 'pg'
import { isBefore } from '../../lib/version.ts'
import { currentVersion } from './features.ts'

/** PostgreSQL cuts longer names. */
const NAME_BYTES_MAX = 63
/** Connections of 0.2.0 are named without a version. */
const FIRST_VERSION = '0.2.0'
const VERSION = /(?:^| )tawthiq\/(\d+\.\d+\.\d+\S*)$/

/**
 * Returns the `application_name` of connections. It ends with the version, so that an administrator can see which versions
 * use a database.
 *
 * @param given the name that the URL sets, which comes first
 */
export function nameConnections(given: string | undefined): string {
  const own = `tawthiq/${currentVersion()}`
  if (given === undefined || given === '') return own
  const room = NAME_BYTES_MAX - own.length - 1
  return `${Buffer.from(given).subarray(0, room).toString().replaceAll('\uFFFD', '')} ${own}`
}

/** A session of another process, and the version of its program */
export type Session = Readonly<{ name: string; address: string; version: string }>

/** Sessions of the service's user count as well, because the name of a version before 0.3.0 can be any that its URL sets. */
const SESSIONS = `SELECT DISTINCT application_name AS name, coalesce(host(client_addr), 'local') AS address
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
    AND (usename = current_user OR application_name ~ '(^| )tawthiq(/|$)')
  ORDER BY 1, 2`

/** Returns the sessions of instances before a version, and those that may be. */
export async function earlierSessions(client: ClientBase, version: string): Promise<Session[]> {
  const { rows } = await client.query<Omit<Session, 'version'>>(SESSIONS)
  return rows
    .map((row) => ({ ...row, version: VERSION.exec(row.name)?.[1] ?? FIRST_VERSION }))
    .filter((session) => isBefore(session.version, version))
}
