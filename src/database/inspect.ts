import { clockDifference } from '../lib/clock-difference.ts'
import { onDatabase, type DatabaseTarget } from './index.ts'
import { readTablesState, type TablesState } from './migrations/prepare.ts'

export type Inspection = Readonly<{
  version: string
  user: string
  /** The time zone of the connections of the service */
  timeZone: string
  isReadOnly: boolean
  /** Whether the user can create tables */
  canCreate: boolean
  /** How far the clock of the server is ahead of this one, as far as known */
  aheadMs: number
  /** Tables, sequences and functions that the user cannot use */
  forbidden: readonly string[]
  tables: TablesState
}>

type Server = Omit<Inspection, 'aheadMs' | 'forbidden' | 'tables'> & { nowMs: number }

const SERVER = `SELECT current_setting('server_version') AS version, current_user AS "user",
  current_setting('TimeZone') AS "timeZone", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  has_schema_privilege(current_schema(), 'CREATE') AS "canCreate",
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`

/** Partitions are used with the rights of their table. */
const FORBIDDEN = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND NOT relispartition AND CASE
    WHEN relname = '_prisma_migrations' THEN NOT has_table_privilege(oid, 'SELECT')
    WHEN relkind IN ('r', 'p') THEN NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
    WHEN relkind = 'S' THEN NOT has_sequence_privilege(oid, 'USAGE')
    ELSE false END
  UNION ALL SELECT proname || '()' FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND NOT has_function_privilege(oid, 'EXECUTE')
  ORDER BY name`

/**
 * Reads what an operator needs to know about a database. Writes nothing.
 *
 * @throws StartupError when it cannot be reached or its migrations have a fault
 */
export function inspectDatabase(target: DatabaseTarget, nowMs: () => number): Promise<Inspection> {
  return onDatabase(target, async (client) => {
    const sentAtMs = nowMs()
    const { rows } = await client.query<Server>(SERVER)
    const receivedAtMs = nowMs()
    const { rows: forbidden } = await client.query<{ name: string }>(FORBIDDEN)
    const [row] = rows
    if (!row) throw new Error('the server has returned no row')
    const { nowMs: serverMs, ...server } = row
    return {
      ...server,
      aheadMs: clockDifference(serverMs, sentAtMs, receivedAtMs),
      forbidden: forbidden.map(({ name }) => name),
      tables: await readTablesState(client),
    }
  })
}
