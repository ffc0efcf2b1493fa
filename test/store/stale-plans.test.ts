// Prepared statements whose columns a migration has changed.
import t from 'tap'
import { toFailure } from '../../src/database/outages.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { isStalePlan, retryStalePlans } from '../../src/database/stale-plans.ts'
import { openService } from '../support/service/service.ts'

const service = await openService()
t.teardown(() => service.close())
const { pool, prisma } = service.database
await service.asOwner(`CREATE TABLE stale (id int PRIMARY KEY, name varchar(10));
  GRANT SELECT, INSERT, UPDATE, DELETE ON stale TO PUBLIC;
  INSERT INTO stale VALUES (1, 'a')`)

let width = 10
const widen = (): Promise<unknown> => service.asOwner(`ALTER TABLE stale ALTER name TYPE varchar(${++width})`)
const SELECT = { name: 'stale-select', text: 'SELECT id, name FROM stale' }

void t.test('repeats a statement that is prepared with other columns', async (t) => {
  await Promise.all(Array.from({ length: 5 }, () => pool.query(SELECT)))
  await widen()
  const results = await Promise.all(Array.from({ length: 20 }, () => pool.query(SELECT)))
  t.same(
    results.map(({ rows }) => rows as unknown),
    results.map(() => [{ id: 1, name: 'a' }]),
  )
})

void t.test('repeats a statement with a callback', async (t) => {
  await pool.query(SELECT)
  await widen()
  const rows = await new Promise((resolve, reject) =>
    pool.query(SELECT, (error: Error | undefined, result) => (error ? reject(error) : resolve(result.rows))),
  )
  t.same(rows, [{ id: 1, name: 'a' }])
})

void t.test('repeats the statements of Prisma', async (t) => {
  const read = (): Promise<unknown> => prisma.$queryRawUnsafe('SELECT id, name FROM stale WHERE id = $1', 1)
  await read()
  await widen()
  t.same(await read(), [{ id: 1, name: 'a' }])
})

void t.test('repeats a whole transaction', async (t) => {
  let runs = 0
  const change = (): Promise<unknown> =>
    inTransaction(pool, async (connection) => {
      runs++
      await connection.query({ name: 'stale-insert', text: 'UPDATE stale SET id = id + 1' })
      return connection.query(SELECT)
    })
  await change()
  await widen()
  t.match(await change(), { rows: [{ id: 3 }] }, 'the first attempt was rolled back')
  // A server has several connections, of which the second change may use another one.
  if (process.env['DATABASE_URL'] === undefined) t.equal(runs, 3)
})

void t.test('repeats a whole transaction of Prisma', async (t) => {
  const change = (): Promise<unknown> =>
    retryStalePlans(() =>
      prisma.$transaction(async (transaction) => {
        await transaction.$executeRawUnsafe('UPDATE stale SET id = id + 1')
        return transaction.$queryRawUnsafe('SELECT id, name FROM stale')
      }),
    )
  await change()
  await widen()
  t.same(await change(), [{ id: 5, name: 'a' }])
})

void t.test('closes connections with stale statements', async (t) => {
  await Promise.all(Array.from({ length: 5 }, () => pool.query(SELECT)))
  await widen()
  await Promise.all(Array.from({ length: 20 }, () => pool.query(SELECT)))
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM pg_prepared_statements WHERE name ~ '^stale-select'`,
  )
  t.ok(rows.length <= 1, JSON.stringify(rows))
})

void t.test('reports a repeated fault as an unavailable database', async (t) => {
  const fault = Object.assign(new Error('cached plan must not change result type'), { code: '0A000' })
  t.ok(isStalePlan({ meta: { driverAdapterError: { cause: fault } } }))
  t.notOk(isStalePlan(new Error('another error')))
  await t.rejects(
    retryStalePlans(() => Promise.reject(fault)),
    fault,
  )
  t.match(toFailure(fault), { code: 'database_unavailable' })
  await service.asOwner('DROP TABLE stale')
})
