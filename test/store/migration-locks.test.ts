// Migrations beside a running service: locks, indexes that are built concurrently, and users without the right to create.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { migrate } from '../../src/database/migrations/index.ts'
import { folderWith } from '../support/processes/migrations.ts'
import { emptyOwnDatabase } from '../support/service/databases.ts'

const SERVER = process.env['DATABASE_URL']
const skip = SERVER === undefined && 'needs a real PostgreSQL'
/** Longer than a migration waits for a lock (0.5 s), shorter than the service waits for a response (2 s) */
const QUERY_MS_MAX = 1800

async function connections(): Promise<() => Promise<pg.Client>> {
  const { url, directUrl = url, drop } = await emptyOwnDatabase()
  const clients: pg.Client[] = []
  t.teardown(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await drop()
  })
  return async () => {
    const client = new pg.Client({ connectionString: directUrl })
    clients.push(client)
    await client.connect()
    return client
  }
}

void t.test('never blocks other queries for long while a session reads the table', { skip }, async (t) => {
  const connect = await connections()
  const [owner, reader, service] = [await connect(), await connect(), await connect()]
  await owner.query('CREATE TABLE a (id int); CREATE TABLE b (id int); INSERT INTO a VALUES (1)')
  await reader.query('BEGIN; LOCK TABLE a, b IN ACCESS SHARE MODE')

  const lines: string[] = []
  let isApplied = false
  const sql = 'ALTER TABLE b ADD COLUMN c int; ALTER TABLE a ADD COLUMN c int;'
  const migrating = migrate(owner, folderWith({ '1_add': sql }), (line) => lines.push(line))
  void migrating.then(() => (isApplied = true))
  let slowestMs = 0
  while (lines.length < 3) {
    const startMs = performance.now()
    await service.query('SELECT a.id FROM a, b')
    slowestMs = Math.max(slowestMs, performance.now() - startMs)
    await sleep(1)
  }
  t.notOk(isApplied)
  t.ok(slowestMs < QUERY_MS_MAX, `${slowestMs} ms`)
  t.match(lines[0], /^migration 1_add waits for a lock of another session \(\d+ s\), next attempt in 0\.5 s$/)
  await reader.query('COMMIT')
  t.same(await migrating, ['1_add'])
  t.match(lines.at(-1), /^migration 1_add applied in \d+\.\d s$/)
})

void t.test('builds indexes concurrently, and replaces an invalid one', { skip }, async (t) => {
  const connect = await connections()
  const [owner, service] = [await connect(), await connect()]
  await owner.query('CREATE TABLE a (id int); INSERT INTO a VALUES (1), (1)')
  const sql = '-- outside a transaction\nCREATE UNIQUE INDEX CONCURRENTLY "a_id_idx" ON a (id);\nANALYZE a;\n'
  const folder = folderWith({ '1_index': sql })
  await t.rejects(migrate(owner, folder), /1_index failed: .*could not create unique index/)
  await service.query('DELETE FROM a WHERE ctid = (SELECT min(ctid) FROM a)')
  await service.query('BEGIN; INSERT INTO a VALUES (2)')
  const migrating = migrate(owner, folder)
  await (await connect()).query('INSERT INTO a VALUES (3)') // is not blocked
  await service.query('COMMIT')
  t.same(await migrating, ['1_index'])
  const { rows } = await owner.query(`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'a_id_idx'::regclass`)
  t.same(rows, [{ valid: true }])
})

void t.test('repeats statements that an interrupted migration has already run', { skip }, async (t) => {
  const owner = await (await connections())()
  await owner.query('CREATE TABLE a (id int); CREATE INDEX "a_id_idx" ON a (id)')
  const sql = `-- outside a transaction
-- A comment; with a semicolon
CREATE INDEX CONCURRENTLY "a_id_idx" ON a (id);
DROP INDEX CONCURRENTLY IF EXISTS "a_old_idx";`
  t.same(await migrate(owner, folderWith({ '1_index': sql })), ['1_index'])
})

void t.test('accepts a migration that replaces an earlier text', { skip }, async (t) => {
  const owner = await (await connections())()
  await migrate(owner, folderWith({ '1_a': 'CREATE TABLE a (id int);' }))
  const { rows } = await owner.query<{ checksum: string }>('SELECT checksum FROM _prisma_migrations')
  const replaced = `-- replaces ${rows[0]?.checksum ?? ''}\nCREATE TABLE a (id int); SELECT 1;`
  t.same(await migrate(owner, folderWith({ '1_a': replaced })), [])
})

void t.test('waits for another process that migrates', { skip }, async (t) => {
  const connect = await connections()
  const folder = folderWith({ '1_slow': 'SELECT pg_sleep(0.5); CREATE TABLE a (id int);' })
  const lines: string[] = []
  const [first, second] = [await connect(), await connect()]
  const applied = await Promise.all([first, second].map((each) => migrate(each, folder, (line) => lines.push(line))))
  t.same(applied.flat(), ['1_slow'])
  t.ok(lines.includes('another process is migrating the database, waiting for it'))
})
