import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Variables } from '../load/service.ts'

const TABLES = `SELECT string_agg(quote_ident(relname), ', ') AS list FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`

/** Runs the command migrate of a version while a session reads every table for a while, as pg_dump does. */
export async function migrateWhileReading(directory: string, environment: Variables, seconds: number): Promise<void> {
  const reader = new pg.Client({ connectionString: environment['DATABASE_URL'] })
  await reader.connect()
  const { rows } = await reader.query<{ list: string }>(TABLES)
  await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE ${rows[0]?.list ?? ''} IN ACCESS SHARE MODE`)
  const reading = reader.query(`SELECT pg_sleep(${seconds}); COMMIT`).finally(() => reader.end())
  const { PATH = '' } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'dist/service/main.js'), 'migrate'], {
    env: { PATH, ...environment },
  })
  console.log(stdout.trim())
  await reading
}
