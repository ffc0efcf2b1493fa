import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createDatabase, dropDatabase, withDatabase } from '../schema-engine/servers.ts'
import { isRunning, threadMicros } from './parts.ts'
import type { Session } from './session.ts'

/**
 * Creates a database on a server, so that a measurement never writes to an existing one. It ends with the session. Returns
 * its URL.
 */
export async function createScratchDatabase({ onEnd }: Session, serverUrl: string): Promise<string> {
  const url = withDatabase(serverUrl, `tawthiq_load_${randomUUID().slice(0, 8)}`)
  await createDatabase(url)
  onEnd(() => dropDatabase(url))
  return url
}

/** Opens a connection that ends with the session. */
export async function connectTo({ onEnd }: Session, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onEnd(() => client.end())
  return client
}

/**
 * What a database uses: the CPU time of its connections since they were first read, and the write-ahead log of the whole
 * server, on which nothing else may write
 */
type DatabaseUse = Record<'databaseMicros' | 'walBytes' | 'connections', number>

const SQL = `SELECT array(SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend') AS pids, pg_current_wal_insert_lsn() - '0/0' AS wal`

/** Returns a function that reads what the connections to the database of a client have used. The server must run on this machine. */
export function readerOfDatabaseUse(client: pg.Client): () => Promise<DatabaseUse> {
  // An idle connection may be closed, which must not look as if it had used nothing.
  const micros = new Map<number, number>()
  return async () => {
    const { rows } = await client.query<{ pids: number[]; wal: string }>(SQL)
    const [{ pids, wal } = { pids: [], wal: '0' }] = rows
    for (const pid of pids.filter(isRunning)) micros.set(pid, threadMicros(pid))
    const databaseMicros = [...micros.values()].reduce((sum, each) => sum + each, 0)
    return { databaseMicros, walBytes: Number(wal), connections: pids.length }
  }
}
