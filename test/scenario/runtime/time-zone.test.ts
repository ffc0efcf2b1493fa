// The time zone of a database, a role or a session changes no stored time. Without start-up options, as behind a pooler,
// the service cannot set it.
import pg from 'pg'
import t from 'tap'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import { codeFor, settled, tokenFor } from '../../support/accounts/resets.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

const skip = process.env['DATABASE_URL'] === undefined && 'needs a real PostgreSQL: set DATABASE_URL'
const MINUTE_MS = 60_000
/** Long enough for a slow run, and shorter than the difference between any two zones of the test */
const TOLERANCE_MS = 20 * MINUTE_MS

/** Opens a service on a database with another time zone. It connects as it does through a pooler. */
async function serviceIn(zone: string): Promise<Service> {
  const service = await openService({
    server: (server) => ({ ...server, pooler: 'transaction' }),
    prepare: async (url) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = '${zone}'`)
      await client.end()
    },
  })
  t.teardown(() => service.close())
  return service
}

/** Uses operations that store times: accounts, sessions, codes, links, deletions, events and the audit trail. */
async function useService(world: World): Promise<string> {
  const { email, token } = await world.person()
  const verified = await saudiNumber(world)
  const registered = await world.send('register')({ json: clientRegistration(verified) })
  const { account, session } = registered.body.data as {
    account: { token: string }
    session: { refresh_token: string }
  }
  await world.send('refreshToken')({ json: { refresh_token: session.refresh_token } })
  await world.send('login')({ json: { email, password: 'wrong' } })
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  await tokenFor(world, email)
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  await codeFor(world, phone)
  await world.send('requestAccountDeletion')({ token: await token(), json: { password: PASSWORD } })
  await settled(world)
  return account.token
}

/** Returns all times of a table column, as milliseconds from now, sorted. */
async function agesIn({ database }: Service): Promise<Map<string, number[]>> {
  const { rows: columns } = await database.pool.query<{ table: string; column: string; isArray: boolean }>(
    `SELECT table_name AS table, column_name AS column, data_type = 'ARRAY' AS "isArray" FROM information_schema.columns
     WHERE table_schema = 'public' AND udt_name IN ('timestamptz', '_timestamptz', 'timestamp') ORDER BY 1, 2`,
  )
  const ages = new Map<string, number[]>()
  for (const { table, column, isArray } of columns) {
    const time = isArray ? `unnest("${column}")` : `"${column}"`
    const { rows } = await database.pool.query<{ ms: number }>(
      `SELECT extract(epoch FROM at - now())::float8 * 1000 AS ms FROM (SELECT ${time} AS at FROM "${table}") AS times
       WHERE at < '9000-01-01' ORDER BY 1`,
    )
    ages.set(
      `${table}.${column}`,
      rows.map(({ ms }) => ms),
    )
  }
  return ages
}

void t.test('stores and returns the same times in every time zone', { skip }, async (t) => {
  const [utc, riyadh, newYork] = [
    await serviceIn('UTC'),
    await serviceIn('Asia/Riyadh'),
    await serviceIn('America/New_York'),
  ]
  const expected = await agesOf(utc)
  const filled = [...expected].filter(([, ages]) => ages.length > 0).map(([name]) => name)
  t.ok(filled.length > 20, `${filled.length} columns have times: ${filled.join(', ')}`)
  for (const service of [riyadh, newYork]) {
    const found = await agesOf(service)
    for (const [name, ages] of expected) {
      const others = found.get(name) ?? []
      t.equal(others.length, ages.length, name)
      t.ok(
        ages.every((age, at) => Math.abs(age - (others[at] ?? NaN)) < TOLERANCE_MS),
        `${name}: ${ages.join()} and ${others.join()}`,
      )
    }
  }
})

async function agesOf(service: Service): Promise<Map<string, number[]>> {
  const world = await openWorld(service)
  const { rows } = await service.database.pool.query<{ TimeZone: string }>('SHOW timezone')
  const token = await useService(world)
  const { body } = await world.send('listSessions')({ token })
  const [session] = (body.data as { items: { created_at: string }[] }).items
  t.ok(
    Math.abs(Date.parse(session?.created_at ?? '') - Date.now()) < TOLERANCE_MS,
    `a response in ${rows[0]?.TimeZone}`,
  )
  return agesIn(service)
}
