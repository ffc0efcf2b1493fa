// Several servers in DATABASE_URL: connections use the first one that works and can be written.
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPool, type DatabaseServer } from '../../../src/database/connection/index.ts'
import { emptyOwnDatabase } from '../../support/service/databases.ts'
import { openProxy, type Proxy } from '../../support/servers/proxy.ts'

const SERVER = process.env['DATABASE_DIRECT_URL'] ?? process.env['DATABASE_URL'] ?? ''
const skip = SERVER === '' && 'needs a real PostgreSQL: set DATABASE_URL'
const types = { getTypeParser: pg.types.getTypeParser as (id: number) => (wire: string) => unknown }

type Setting = { proxies: [Proxy, Proxy]; pool: pg.Pool; direct: pg.Client; name: string }

/** Opens a pool on two addresses of one server, each behind a proxy, and a direct connection. */
async function openSetting(t: Test, query = ''): Promise<Setting> {
  const { directUrl = '', drop } = await emptyOwnDatabase()
  const { hostname, port, pathname, username, password } = new URL(directUrl)
  const target = { host: hostname, port: Number(port || 5432) }
  const proxies: [Proxy, Proxy] = [await openProxy(target), await openProxy(target)]
  const hosts = proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(',')
  const server: DatabaseServer = {
    url: `postgresql://${username}:${password}@${hosts}${pathname}${query}`,
    connectionsMax: 3,
  }
  const pool = openPool(server, types)
  const direct = new pg.Client({ connectionString: directUrl })
  await direct.connect()
  t.teardown(async () => {
    await pool.end()
    await direct.end()
    for (const proxy of proxies) proxy.close()
    await drop()
  })
  return { proxies, pool, direct, name: pathname.slice(1) }
}

void t.test('uses another server when one cannot be reached, without an error', { skip }, async (t) => {
  const { proxies, pool } = await openSetting(t)
  proxies[0].cut()
  const results = await Promise.all([1, 2, 3].map((number) => pool.query(`SELECT ${number} AS number`)))
  t.equal(results.length, 3)
  t.equal(pool.totalCount, 3)
  proxies[0].restore()
  proxies[1].cut()
  const afterwards = await eventually(() => pool.query('SELECT 1'))
  t.equal(afterwards.rowCount, 1, 'new connections use the first server again')
})

void t.test('fails when no server can be reached', { skip }, async (t) => {
  const { proxies, pool } = await openSetting(t)
  for (const proxy of proxies) proxy.cut()
  await t.rejects(pool.query('SELECT 1'))
  for (const proxy of proxies) proxy.restore()
  t.equal((await pool.query('SELECT 1')).rowCount, 1)
})

void t.test('refuses servers that are read-only, unless the URL allows them', { skip }, async (t) => {
  const { pool, direct, name } = await openSetting(t)
  await direct.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await t.rejects(pool.query('SELECT 1'), { code: '25006', message: /standby or read-only/ })
  await direct.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
  t.equal((await pool.query('SELECT 1')).rowCount, 1)

  const any = await openSetting(t, '?target_session_attrs=any')
  await any.direct.query(`ALTER DATABASE ${any.name} SET default_transaction_read_only = on`)
  t.equal((await any.pool.query('SELECT 1')).rowCount, 1)
})

void t.test('replaces all connections when a write finds that the server is read-only', { skip }, async (t) => {
  const { pool, direct, name } = await openSetting(t, '?target_session_attrs=any')
  await direct.query(`CREATE TABLE notes (id int)`)
  await direct.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await Promise.all([1, 2, 3].map(() => pool.query('SELECT pg_sleep(0.01)')))
  t.equal(pool.totalCount, 3)
  await direct.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
  await t.rejects(pool.query('INSERT INTO notes VALUES (1)'), { code: '25006' })
  await eventually(() => pool.query('INSERT INTO notes VALUES (2)'))
  await Promise.all([3, 4, 5].map((id) => pool.query(`INSERT INTO notes SELECT ${id} FROM pg_sleep(0.01)`)))
  const { rows } = await direct.query<{ count: number }>('SELECT count(*)::int AS count FROM notes')
  t.equal(rows[0]?.count, 4, 'no other connection leads to the read-only session')
})

/** Repeats work that can fail once, because an idle connection has just broken. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch(() => work())
}
