// Creates the initial database of the embedded PostgreSQL, with tables and lookups, so that the first start is fast.
// Newer migrations are applied when the service starts.
import { rmSync } from 'node:fs'
import pg from 'pg'
import { prepareTables } from '../src/database/index.ts'
import { openEngine } from '../src/database/embedded/engine.ts'
import { TEMPLATE } from '../src/database/embedded/index.ts'
import { WireSocket } from '../src/database/embedded/wire.ts'

rmSync(TEMPLATE, { recursive: true, force: true })
const engine = await openEngine(TEMPLATE)
const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => new WireSocket(engine) })
await client.connect()
await prepareTables(client)
await client.end()
await engine.close()
