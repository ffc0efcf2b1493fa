// A PostgreSQL server that is not, or no longer, the one to write to, and a server that starts later than the service.
import { mock } from 'node:test'
import pg from 'pg'
import t, { type Test } from 'tap'
import { connectDirectly, openPool } from '../../../src/database/connection/index.ts'
import { openDatabase } from '../../../src/database/index.ts'
import { MIGRATIONS } from '../../../src/database/migrations/files.ts'
import { readiness } from '../../../src/database/readiness.ts'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { StartupError } from '../../../src/lib/startup-error.ts'
import { startHere } from '../../support/processes/here.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import {
  createPostgresServer,
  skipWithoutPostgres as skip,
  type PostgresServer,
} from '../../support/servers/postgres-server.ts'
import { openProxy } from '../../support/servers/proxy.ts'

const BACK_MS_MAX = 5000
const MINUTE_MS = 60_000
const WAIT_SECONDS = 300
const types = { getTypeParser: pg.types.getTypeParser as (id: number) => (wire: string) => unknown }

const urlOf = (port: number): string => `postgresql://postgres@127.0.0.1:${port}/postgres`

async function migratedServer(t: Test): Promise<PostgresServer> {
  const server = await createPostgresServer(t)
  await server.start()
  await (await openDatabase({ url: urlOf(server.port), connectionsMax: 1 })).close()
  return server
}

void t.test('becomes ready when its address leads to the primary again, without a request', { skip }, async (t) => {
  const primary = await migratedServer(t)
  const standby = await primary.openStandby()
  const address = { host: '127.0.0.1', port: standby.port }
  const proxy = await openProxy(address)
  const pool = openPool({ url: urlOf(proxy.port), connectionsMax: 3, connectionsKept: 2 }, types)
  t.teardown(async () => {
    await pool.end()
    proxy.close()
  })
  const check = readiness(pool, MIGRATIONS)
  await Promise.all([1, 2, 3].map(() => pool.query('SELECT pg_sleep(0.01)')))
  await t.rejects(check(), { cause: { message: 'The database is read-only.' } })

  address.port = primary.port // the standby still responds on the connections that it has
  const deadlineMs = Date.now() + BACK_MS_MAX
  let isReady = false
  while (!isReady && Date.now() < deadlineMs) {
    isReady = await check().then(
      () => true,
      () => false,
    )
  }
  t.ok(isReady)
  const { rows } = await pool.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
  t.same(rows, [{ standby: false }])
})

void t.test('keeps idle connections for ten minutes, and some of them for longer', { skip }, async (t) => {
  const server = await createPostgresServer(t)
  await server.start()
  const pool = openPool({ url: urlOf(server.port), connectionsMax: 4, connectionsKept: 2 }, types)
  t.teardown(() => pool.end())
  const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()))
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  for (const client of clients) client.release()
  mock.timers.tick(9 * MINUTE_MS)
  t.match(pool, { totalCount: 4, idleCount: 4 })
  mock.timers.tick(MINUTE_MS)
  t.match(pool, { totalCount: 2, idleCount: 2 })
})

void t.test('waits for a server that accepts no connections yet, and says so', { skip }, async (t) => {
  const server = await createPostgresServer(t)
  const lines: string[] = []
  let starting: Promise<void> | undefined
  const report = (line: string): void => {
    lines.push(line)
    starting ??= server.start()
  }
  const wait = { seconds: WAIT_SECONDS, report }
  const database = await openDatabase({ url: urlOf(server.port), connectionsMax: 1, wait })
  await database.close()
  await starting
  t.match(lines, [
    /^the database accepts no connections yet \(connect ECONNREFUSED .*\), waiting for at most 300 s$/,
    /^the database accepts connections, after \d+\.\d s$/,
  ])
})

void t.test('fails with a sentence if the server accepts no connections in time', async (t) => {
  const lines: string[] = []
  const wait = { seconds: 0.1, report: (line: string) => lines.push(line) }
  const opening = openDatabase({ url: 'postgresql://u:hidden@127.0.0.1:1/x', connectionsMax: 1, wait })
  const error: unknown = await opening.catch((reason: unknown) => reason)
  t.ok(error instanceof StartupError)
  t.match(error, {
    message:
      /^Cannot use the database x at 127\.0\.0\.1:1: connect ECONNREFUSED .*, also after 0\.1 s\. Check DATABASE_URL\.$/,
  })
  t.equal(lines.length, 1)
  t.notMatch(String(error), 'hidden')
})

void t.test('does not wait for a database that does not exist', { skip }, async (t) => {
  const server = await createPostgresServer(t)
  await server.start()
  const lines: string[] = []
  const url = `postgresql://postgres@127.0.0.1:${server.port}/absent`
  const wait = { seconds: WAIT_SECONDS, report: (line: string) => lines.push(line) }
  await t.rejects(connectDirectly({ url, connectionsMax: 1, wait }), { code: '3D000' })
  t.same(lines, [])
})

void t.test('fails with a sentence if the database fails during the start', { skip }, async (t) => {
  const server = await migratedServer(t)
  const proxy = await openProxy({ host: '127.0.0.1', port: server.port })
  const url = urlOf(proxy.port)
  const database = await openDatabase({ url, connectionsMax: 1 })
  t.teardown(async () => {
    await database.close()
    proxy.close()
  })
  proxy.cut()
  const environment = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), KEYS: newKeys() }
  const error: unknown = await startHere(environment, database).catch((reason: unknown) => reason)
  t.ok(error instanceof StartupError)
  t.match(error, { message: /^The database failed during the start: .+\. Run doctor, then start again\.$/ })
})
