// Makes the database that the embedded PostgreSQL begins with. It has the tables and the lookups, so that a first start
// need not make them; what is newer than the template is added when the service starts.
import { rmSync } from 'node:fs'
import pg from 'pg'
import { prepareTables } from '../src/store/database.ts'
import { openEngine } from '../src/store/embedded/engine.ts'
import { TEMPLATE } from '../src/store/embedded/index.ts'
import { WireSocket } from '../src/store/embedded/wire.ts'

rmSync(TEMPLATE, { recursive: true, force: true })
const engine = await openEngine(TEMPLATE)
const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => new WireSocket(engine) })
await client.connect()
await prepareTables(client)
await client.end()
await engine.close()
