// Responses while the database is unavailable, and the time until the service recovers.
import t, { type Test } from 'tap'
import { openProxy, type Proxy } from '../../support/servers/proxy.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

const RESPONSE_MS_MAX = 2500
const MEND_MS_MAX = 2000
const skip = process.env['DATABASE_URL'] === undefined && 'needs a real PostgreSQL: set DATABASE_URL'

type Setting = { service: Service; world: World; proxy: Proxy }

async function behindProxy(t: Test): Promise<Setting> {
  const { hostname, port } = new URL(process.env['DATABASE_URL'] ?? '')
  const proxy = await openProxy({ host: hostname, port: Number(port || 5432) })
  const through = (url: string): string => {
    const other = new URL(url)
    other.hostname = '127.0.0.1'
    other.port = String(proxy.port)
    return other.toString()
  }
  const service = await openService({ through })
  t.teardown(async () => {
    proxy.restore()
    await service.close()
    proxy.close()
  })
  return { service, world: await openWorld(service), proxy }
}

/** Checks that every kind of operation returns 503 in time. */
async function checkWhileUnavailable(t: Test, { service, world }: Setting, token: string): Promise<void> {
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
    t.ok(ms < RESPONSE_MS_MAX, `${name}: ${ms} ms`)
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

async function checkRecovery(t: Test, { service, world }: Setting, token: string): Promise<void> {
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
    const setting = await behindProxy(t)
    const token = await (await setting.world.person()).token()
    setting.proxy[fault]()
    await checkWhileUnavailable(t, setting, token)
    setting.proxy.restore()
    await checkRecovery(t, setting, token)
  })
}

void t.test('discards the connection of a frozen transaction', { skip }, async (t) => {
  const { service, proxy } = await behindProxy(t)
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
