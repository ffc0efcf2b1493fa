import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'

export type ScratchDatabase = { url: string; drop(): Promise<void> }

/** Creates a database on a server, so that a benchmark never writes to an existing one. */
export async function createScratchDatabase(serverUrl: string): Promise<ScratchDatabase> {
  const name = `tawthiq_bench_${randomUUID().slice(0, 8)}`
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}

const TICK_MICROS = 10_000

/** Returns the CPU time of the open connections of a service, or 0 if the server runs on another machine. */
export async function readDatabaseMicros(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client
    .query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tawthiq'`,
    )
    .finally(() => client.end())
  try {
    return rows.reduce((sum, { pid }) => sum + readTicks(pid), 0) * TICK_MICROS
  } catch {
    return 0
  }
}

/** Returns the user and system time of a process (proc(5), /proc/pid/stat), in ticks. */
function readTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
