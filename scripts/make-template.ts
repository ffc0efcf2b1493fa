// Creates the initial database of the embedded PostgreSQL, with tables and lookups, so that the first start is fast.
// Newer migrations are applied when the service starts.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { prepareTables } from '../src/database/migrations/prepare.ts'
import { openEngine } from '../src/database/embedded/engine.ts'
import { PLACEHOLDER, TEMPLATE } from '../src/database/embedded/index.ts'
import { WireSocket } from '../src/database/embedded/thread.ts'

rmSync(TEMPLATE, { recursive: true, force: true })
const engine = await openEngine(TEMPLATE)
const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => new WireSocket(engine) })
await client.connect()
await prepareTables(client)
await dropUnused(client)
await client.end()
await engine.close()
fillEmptyDirectories(TEMPLATE)

/** Drops the databases that new databases are copied from: the service creates none, and they are most of the files. */
async function dropUnused(client: pg.Client): Promise<void> {
  await client.query(`UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')`)
  for (const name of ['template0', 'template1']) await client.query(`DROP DATABASE ${name}`)
  await client.query('CHECKPOINT') // deletes their files
}

/** Adds files that the service does not copy. */
function fillEmptyDirectories(directory: string): void {
  const entries = readdirSync(directory, { withFileTypes: true })
  if (entries.length === 0) writeFileSync(join(directory, PLACEHOLDER), '')
  for (const each of entries.filter((entry) => entry.isDirectory())) fillEmptyDirectories(join(directory, each.name))
}
