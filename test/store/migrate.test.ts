// The step at start that applies migrations, beside Prisma's own.
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { openEngine, type Engine } from '../../src/database/embedded/engine.ts'
import { TEMPLATE } from '../../src/database/embedded/index.ts'
import { WireSocket } from '../../src/database/embedded/thread.ts'
import { migrate } from '../../src/database/migrations/index.ts'
import { StartupError } from '../../src/lib/startup-error.ts'
import { folderWith } from '../support/processes/migrations.ts'
import { emptyOwnDatabase } from '../support/service/databases.ts'
import { temporaryFolder } from '../support/processes/process.ts'

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url)
const SERVER = process.env['DATABASE_URL']

const engine = SERVER === undefined ? await openTemplate() : undefined
t.teardown(() => engine?.close())

/** Opens the embedded database of all tests. */
function openTemplate(): Promise<Engine> {
  const folder = join(temporaryFolder(), 'database')
  cpSync(TEMPLATE, folder, { recursive: true })
  return openEngine(folder)
}

/** Opens connections to an empty database of the test. */
async function emptyDatabase(): Promise<{ url: string | undefined; connect: () => Promise<pg.Client> }> {
  const { directUrl: url, drop } = await emptyOwnDatabase()
  const clients: pg.Client[] = []
  t.teardown(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await drop()
  })
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client(
      engine ? { user: 'postgres', stream: () => new WireSocket(engine) } : { connectionString: url },
    )
    clients.push(client)
    await client.connect()
    // removes the tables of the template or of another test
    if (engine) await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    return client
  }
  return { url, connect }
}

void t.test('applies missing migrations once', async (t) => {
  const client = await (await emptyDatabase()).connect()
  const first = await migrate(client, MIGRATIONS)
  t.ok(first.length > 0)
  t.same(await migrate(client, MIGRATIONS), [])
})

void t.test('rolls back a failed migration, and applies it after a correction', async (t) => {
  const client = await (await emptyDatabase()).connect()
  const broken = folderWith({
    '1_first': 'CREATE TABLE a (id int);',
    '2_second': 'CREATE TABLE b (id int); SELECT 1/0;',
  })
  await t.rejects(migrate(client, broken), new StartupError('The migration 2_second failed: error: division by zero'))
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  )
  t.same(
    rows.map(({ name }) => name),
    ['_prisma_migrations', 'a'],
  )
  const repaired = folderWith({ '1_first': 'CREATE TABLE a (id int);', '2_second': 'CREATE TABLE b (id int);' })
  t.same(await migrate(client, repaired), ['2_second'])
})

void t.test('rejects a migration that was edited after it was applied', async (t) => {
  const client = await (await emptyDatabase()).connect()
  await migrate(client, folderWith({ '1_first': 'CREATE TABLE a (id int);' }))
  await t.rejects(migrate(client, folderWith({ '1_first': 'CREATE TABLE a (id bigint);' })), /1_first was edited/)
})

void t.test(
  'applies migrations once when ten instances start at the same time',
  { skip: SERVER === undefined && 'needs a real PostgreSQL' },
  async (t) => {
    const { connect } = await emptyDatabase()
    const clients = await Promise.all(Array.from({ length: 10 }, connect))
    const applied = await Promise.all(clients.map((client) => migrate(client, MIGRATIONS)))
    t.equal(applied.filter((names) => names.length > 0).length, 1)
  },
)

void t.test(
  "records migrations in the same way as Prisma's own command",
  { skip: SERVER === undefined && 'needs a real PostgreSQL' },
  async (t) => {
    const { url, connect } = await emptyDatabase()
    const prisma = (...args: string[]): string =>
      execFileSync(process.execPath, ['node_modules/prisma/build/index.js', ...args], {
        env: { ...process.env, DATABASE_URL: url },
        encoding: 'utf8',
        stdio: 'pipe',
      })
    await migrate(await connect(), MIGRATIONS)
    t.match(prisma('migrate', 'status'), 'Database schema is up to date')
    t.match(prisma('migrate', 'deploy'), 'No pending migrations to apply')

    const other = await emptyDatabase()
    execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'migrate', 'deploy'], {
      env: { ...process.env, DATABASE_URL: other.url },
      stdio: 'pipe',
    })
    t.same(await migrate(await other.connect(), MIGRATIONS), [], 'nothing is applied after the command')
  },
)
