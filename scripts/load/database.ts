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

type DatabaseUse = {
  /** CPU time of the connections to a database */
  databaseMicros: number
  /** Write-ahead log of the whole server, on which nothing else may write */
  walBytes: number
  connections: number
}

/** Reads what the connections to the database of a client have used. The server must run on this machine. */
export async function readDatabaseUse(client: pg.Client): Promise<DatabaseUse> {
  const { rows } = await client.query<{ pids: number[]; wal: string }>(
    `SELECT array(SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_type = 'client backend') AS pids, pg_current_wal_insert_lsn() - '0/0' AS wal`,
  )
  const [{ pids, wal } = { pids: [], wal: '0' }] = rows
  const running = pids.filter(isRunning) // an idle connection may have been closed meanwhile
  const databaseMicros = running.reduce((sum, pid) => sum + threadMicros(pid), 0)
  return { databaseMicros, walBytes: Number(wal), connections: pids.length }
}
