// Statistics of tables that were small when their plans were made.
import t from 'tap'
import { openWorld } from '../support/service/world.ts'

const IS_EMBEDDED = process.env['DATABASE_URL'] === undefined

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
