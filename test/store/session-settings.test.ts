// Settings of sessions that a database or a role can have, and that the statements of the service assume otherwise.
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPool } from '../../src/database/connection/index.ts'
import { checkSettings } from '../../src/database/connection/settings.ts'
import { emptyOwnDatabase } from '../support/service/databases.ts'
import { skipWithoutServer as skip } from '../support/service/database-proxy.ts'
import { openService } from '../support/service/service.ts'
import { openWorld, tokensIn, PASSWORD } from '../support/service/world.ts'

const types = { getTypeParser: pg.types.getTypeParser as (id: number) => (wire: string) => unknown }

/** What a database has, what the connections of the service have instead, and what a check behind a pooler says */
const SETTINGS: readonly (readonly [name: string, given: string, own: string, found: 'fatal' | 'warning' | 'right'])[] =
  [
    ['default_transaction_isolation', 'serializable', 'read committed', 'fatal'],
    ['default_transaction_isolation', 'repeatable read', 'read committed', 'fatal'],
    ['default_transaction_isolation', 'read uncommitted', 'read committed', 'right'],
    ['DateStyle', 'German, DMY', 'ISO, YMD', 'fatal'],
    ['DateStyle', 'SQL, DMY', 'ISO, YMD', 'fatal'],
    ['DateStyle', 'ISO, DMY', 'ISO, YMD', 'right'],
    ['IntervalStyle', 'sql_standard', 'postgres', 'fatal'],
    ['IntervalStyle', 'iso_8601', 'postgres', 'fatal'],
    ['extra_float_digits', '-3', '1', 'fatal'],
    ['extra_float_digits', '0', '1', 'fatal'],
    ['extra_float_digits', '3', '1', 'right'],
    ['bytea_output', 'escape', 'hex', 'fatal'],
    ['standard_conforming_strings', 'off', 'on', 'fatal'],
    ['array_nulls', 'off', 'on', 'fatal'],
    ['session_replication_role', 'replica', 'replica', 'fatal'],
    ['synchronous_commit', 'off', 'off', 'warning'],
    ['synchronous_commit', 'local', 'local', 'right'],
    ['statement_timeout', '0', '2s', 'warning'],
    ['statement_timeout', '7s', '2s', 'right'],
    ['jit', 'on', 'off', 'warning'],
    ['TimeZone', 'America/New_York', 'UTC', 'right'],
    ['default_transaction_read_only', 'on', 'on', 'right'],
    ['default_transaction_deferrable', 'on', 'on', 'right'],
    ['row_security', 'off', 'off', 'right'],
    ['search_path', 'app, public', 'app, public', 'right'],
    ['lock_timeout', '1s', '1s', 'right'],
    ['idle_in_transaction_session_timeout', '5s', '5s', 'right'],
    ['idle_session_timeout', '5s', '5s', 'right'],
    ['client_encoding', 'LATIN1', 'UTF8', 'right'],
    ['client_min_messages', 'error', 'error', 'right'],
    ['lc_messages', 'C.utf8', 'C.utf8', 'right'],
    ['lc_monetary', 'C.utf8', 'C.utf8', 'right'],
    ['lc_numeric', 'C.utf8', 'C.utf8', 'right'],
    ['lc_time', 'C.utf8', 'C.utf8', 'right'],
    ['plan_cache_mode', 'force_generic_plan', 'force_generic_plan', 'right'],
    ['transform_null_equals', 'on', 'on', 'right'],
    ['quote_all_identifiers', 'on', 'on', 'right'],
    ['work_mem', '64kB', '64kB', 'right'],
  ]
/** Required for all others to be right: the defaults of a server */
const RIGHT = ['statement_timeout = 7000', 'jit = off']
/** Lists, which a statement does not quote */
const LISTS = ['DateStyle', 'search_path']

type Opened = { url: string; name: string; direct: pg.Client }

async function openEmpty(t: Test): Promise<Opened> {
  const { directUrl: url = '', drop } = await emptyOwnDatabase()
  const direct = new pg.Client({ connectionString: url })
  await direct.connect()
  t.teardown(async () => {
    await direct.end()
    await drop()
  })
  return { url, name: new URL(url).pathname.slice(1), direct }
}

void t.test('sets or checks what the statements assume', { skip }, async (t) => {
  const { url, name, direct } = await openEmpty(t)
  for (const [setting, given, own, found] of SETTINGS) {
    await direct.query(`ALTER DATABASE ${name} RESET ALL`)
    for (const right of RIGHT) await direct.query(`ALTER DATABASE ${name} SET ${right}`)
    await direct.query(`ALTER DATABASE ${name} SET ${setting} = ${LISTS.includes(setting) ? given : `'${given}'`}`)
    const about = `${setting} = ${given}`

    const pool = openPool({ url, connectionsMax: 1 }, types)
    const { rows } = await pool.query<{ value: string }>(`SELECT current_setting('${setting}') AS value`)
    await pool.end()
    t.equal(rows[0]?.value, own, about)

    const pooled = openPool({ url, connectionsMax: 1, pooler: 'transaction' }, types)
    const finding = await checkSettings(pooled)
    await pooled.end()
    t.equal(finding === undefined ? 'right' : finding.isFatal ? 'fatal' : 'warning', found, about)
    if (finding) t.match(finding.text, new RegExp(`ALTER ROLE \\w+ SET ${setting} = `))
  }
})

/** A pooler keeps the defaults of the database, so the start rejects these, as the checks above. */
const skipPooled = process.env['DATABASE_POOLER'] ? 'the start rejects it behind a pooler' : skip

for (const level of ['serializable', 'repeatable read']) {
  void t.test(`serves parallel requests in a database whose default is ${level}`, { skip: skipPooled }, async (t) => {
    const service = await openService({
      prepare: async (url) => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        const name = new URL(url).pathname.slice(1)
        await client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`)
        await client.end()
      },
    })
    t.teardown(() => service.close())
    const world = await openWorld(service)
    const { email, token } = await world.person()
    const bearer = await token()
    const parallel = async (request: () => Promise<{ status: number }>, count: number): Promise<number[]> => [
      ...new Set((await Promise.all(Array.from({ length: count }, request))).map(({ status }) => status)),
    ]
    const updates = (): Promise<{ status: number }> =>
      world.send('patchProfile')({ token: bearer, json: { longitude: 1 } })
    t.same(await parallel(updates, 6), [200], 'updates')

    const login = await world.send('login')({ json: { email, password: PASSWORD } })
    const { refresh } = tokensIn(login)
    t.same(
      await parallel(() => world.send('refreshToken')({ json: { refresh_token: refresh } }), 6),
      [200],
      'refreshes',
    )

    const phone = world.newPhone()
    await world.send('checkPhone')({ form: { phone_code: '966', phone } })
    const confirms = await parallel(
      () => world.send('confirmPhone')({ form: { phone_code: '966', phone, otp: '000000' } }),
      4,
    )
    t.notOk(
      confirms.some((status) => status >= 500),
      `confirms: ${confirms.join()}`,
    )
  })
}
