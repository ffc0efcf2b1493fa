// Responses while the database is unavailable, and the time until the service recovers.
import pg from 'pg'
import t, { type Test } from 'tap'
import {
  openBehindProxy,
  skipWithoutServer as skip,
  UNAVAILABLE_MS_MAX,
  type BehindProxy,
} from '../../support/service/database-proxy.ts'
import { untilBlocked } from '../../support/service/blocked.ts'
import { onDatabase } from '../../support/service/roles.ts'
import { PASSWORD } from '../../support/service/world.ts'

const MEND_MS_MAX = 2000

/** Checks that every kind of operation returns 503 in time. */
async function checkWhileUnavailable(t: Test, { service, world }: BehindProxy, token: string): Promise<void> {
  const email = 'nobody@example.org'
  const requests = {
    login: () => world.send('login')({ json: { email, password: PASSWORD } }),
    checkToken: () => world.send('checkToken')({ token }),
    getProfile: () => world.send('getProfile')({ token }),
    checkPhone: () => world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } }),
    confirmPhone: () =>
      world.send('confirmPhone')({ form: { phone_code: '966', phone: world.newPhone(), otp: '123456' } }),
  }
  for (const [name, request] of Object.entries(requests)) {
    const startMs = Date.now()
    const responses = await Promise.all(Array.from({ length: 5 }, request))
    const ms = Date.now() - startMs
    t.same([...new Set(responses.map(({ status }) => status))], [503], name)
    t.same([...new Set(responses.map(({ headers }) => headers['error-code']))], ['database_unavailable'], name)
    t.ok(ms < UNAVAILABLE_MS_MAX, `${name}: ${ms} ms`)
  }
  t.same(
    service.log.filter((line) => line.includes('"code":"unexpected"')),
    [],
    'no unexpected error is logged',
  )
  const ready = await fetch(`${service.origin}/health/ready`)
  t.equal(ready.status, 503)
  t.equal((await fetch(`${service.origin}/health/live`)).status, 200, 'the process is alive')
}

async function checkRecovery(t: Test, { service, world }: BehindProxy, token: string): Promise<void> {
  const startMs = Date.now()
  let status = 0
  while (status !== 200 && Date.now() - startMs < MEND_MS_MAX)
    ({ status } = await fetch(`${service.origin}/health/ready`))
  t.equal(status, 200, `ready after ${Date.now() - startMs} ms`)
  t.equal((await world.send('getProfile')({ token })).status, 200)
  const { token: another } = await world.person()
  t.equal((await world.send('checkToken')({ token: await another() })).status, 200)
}

for (const fault of ['cut', 'freeze'] as const) {
  void t.test(`returns 503 while the database is unavailable, and recovers (${fault})`, { skip }, async (t) => {
    const setting = await openBehindProxy(t)
    const token = await (await setting.world.person()).token()
    setting.proxy[fault]()
    await checkWhileUnavailable(t, setting, token)
    setting.proxy.restore()
    await checkRecovery(t, setting, token)
  })
}

void t.test('discards the connection of a frozen transaction', { skip }, async (t) => {
  const { service, proxy } = await openBehindProxy(t)
  const { prisma, pool } = service.database
  const name = (at: number): string => `person-${at}@example.org`
  const frozen = Array.from({ length: 10 }, (_, at) =>
    prisma.$transaction(async (transaction) => {
      await transaction.auditEvent.create({ data: { event: 'login', subject: name(at) } })
      if (at === 9) proxy.freeze()
      await transaction.auditEvent.create({ data: { event: 'login', subject: name(at) } })
    }),
  )
  await Promise.allSettled(frozen)
  proxy.restore()
  const written = Array.from({ length: 20 }, (_, at) =>
    prisma.auditEvent.create({ data: { event: 'login', subject: `after-${at}` } }).then(
      () => at,
      () => undefined,
    ),
  )
  const acknowledged = (await Promise.all(written)).filter((at) => at !== undefined)
  const { rows } = await pool.query<{ count: string }>(`SELECT count(*) FROM audit_events WHERE subject LIKE 'after-%'`)
  t.equal(Number(rows[0]?.count), acknowledged.length)
})

void t.test('returns 503 and goes on if a connection breaks during a change', { skip }, async (t) => {
  const { service, world } = await openBehindProxy(t)
  const { pool } = service.database
  const person = await world.person()
  const token = await person.token()
  const other = await pool.connect()
  t.teardown(() => other.release(true))
  const json = { current_password: PASSWORD, new_password: 'olive3kayak-lamp' }
  await other.query('BEGIN')
  await other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [person.id])
  const changing = world.send('changePassword')({ token, json })
  const [waiting] = await untilBlocked(pool)
  await other.query('SELECT pg_terminate_backend($1)', [waiting])
  const { status, headers } = await changing
  t.equal(status, 503)
  t.equal(headers['error-code'], 'database_unavailable')
  await other.query('COMMIT')
  t.equal((await world.send('checkToken')({ token })).status, 200, 'the password is unchanged')
  t.equal((await world.send('changePassword')({ token, json })).status, 200)
})

void t.test('returns 503 if the database ends a change that is in a deadlock', { skip }, async (t) => {
  const { service, world } = await openBehindProxy(t)
  const { pool } = service.database
  const person = await world.person()
  const token = await person.token()
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name')
  const other = new pg.Client({ connectionString: onDatabase(process.env['DATABASE_URL'] ?? '', rows[0]?.name ?? '') })
  await other.connect()
  t.teardown(() => other.end())
  await other.query('BEGIN')
  await other.query(`SET LOCAL deadlock_timeout = '1min'`) // the change is the one that finds the deadlock
  await other.query('SELECT FROM sessions WHERE account_id = $1 FOR UPDATE', [person.id])
  const json = { current_password: PASSWORD, new_password: 'olive3kayak-lamp' }
  const changing = world.send('changePassword')({ token, json })
  await untilBlocked(pool)
  const locking = other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [person.id])
  const { status, headers } = await changing
  t.equal(status, 503)
  t.equal(headers['error-code'], 'database_unavailable')
  await locking
  await other.query('COMMIT')
  t.equal((await world.send('changePassword')({ token, json })).status, 200, 'nothing has changed')
})
