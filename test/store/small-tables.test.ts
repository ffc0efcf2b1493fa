// Plans and statistics of tables that were small when their plans were made.
import type { PoolClient } from 'pg'
import t from 'tap'
import { openWorld } from '../support/service/world.ts'

const CALLS = 8
const IS_EMBEDDED = process.env['DATABASE_URL'] === undefined

void t.test('writes the search by indexes, also with a plan for small tables', async (t) => {
  const world = await openWorld()
  const { id } = await world.person()
  const client = await world.service.database.pool.connect()
  t.teardown(() => {
    client.release()
  })
  const write = (): Promise<unknown> => client.query('SELECT write_account_search(ARRAY[$1::int])', [id])
  // From the sixth call on, the session uses one plan for all of them.
  for (let call = 0; call < CALLS; call++) await write()

  await client.query('BEGIN')
  const before = await tableScans(client)
  await write()
  t.same(await tableScans(client), before)
  await client.query('ROLLBACK')
})

/** Returns how often the session has read whole tables. */
async function tableScans(client: PoolClient): Promise<unknown> {
  const { rows } = await client.query(
    `SELECT relname, seq_scan FROM pg_stat_xact_user_tables
     WHERE relname IN ('accounts', 'lawyer_profiles', 'account_search') ORDER BY relname`,
  )
  return rows
}

void t.test('vacuums and analyzes an embedded database', { skip: !IS_EMBEDDED }, async (t) => {
  const world = await openWorld()
  const { pool } = world.service.database
  await pool.query(
    `INSERT INTO former_phones (phone, phone_code, account_id, verified_at, recovers_until)
    SELECT '+9665' || lpad(n::text, 8, '0'), '966', $1, now(), now() - interval '1 day' FROM generate_series(1, 5000) n`,
    [(await world.person()).id],
  )
  await world.service.app.context.store.deleteExpired(365)
  const { rows } = await pool.query<{ bytes: bigint; pages: number; isAnalyzed: boolean }>(
    `SELECT pg_relation_size(oid) AS bytes, relpages AS pages, reltuples >= 0 AS "isAnalyzed" FROM pg_class WHERE relname = 'former_phones'`,
  )
  t.same(rows, [{ bytes: 0n, pages: 0, isAnalyzed: true }])
})
