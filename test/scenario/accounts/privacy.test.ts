// The content of the log, at its most verbose level, and of the audit trail.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { readConfig } from '../../../src/config/index.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD } from '../../support/service/world.ts'

void t.test('logs no secrets and no personal data', async (t) => {
  let text = ''
  const provider = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`
  const service = await openService({
    level: 'trace',
    config: {
      telemetry: { ...readConfig({}).telemetry, hasAccessLog: true },
      sms: {
        ...readConfig({}).sms,
        providers: [{ kind: 'webhook', name: 'webhook', url, token: 'provider-secret', timeoutMs: 4000 }],
      },
    },
  })
  t.teardown(async () => {
    await service.close()
    provider.closeAllConnections()
    provider.close()
  })
  const world = await openWorld(service)
  const { id, email, phone, token } = await world.person()
  const alive = await token()
  const another = world.newPhone()
  await world.send('login')({ json: { email, password: 'wrong-password' } })
  await world.send('login')({ json: { email: 'not an address', password: PASSWORD } })
  await world.send('getProfile')({ token: alive })
  await world.send('checkToken')({ token: `${alive}x` })
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  await world.send('checkPhone')({ form: { phone_code: '966', phone: another } })
  const { otp = '' } = /(?<otp>\d{6})/.exec((JSON.parse(text) as { text: string }).text)?.groups ?? {}
  await world.send('confirmPhone')({ form: { phone_code: '966', phone: another, otp } })
  await service.database.prisma.account
    .create({ data: { email, phone: '+966500000000', phoneCode: '966', passwordHash: '', accountType: 'client' } })
    .catch((error: unknown) => service.logger.error({ err: error }, 'a database error'))

  const log = service.log.join('')
  t.match(log, /"event":"login"/)
  t.match(log, /"method":"GET","url":"\/api\/v1\/profile","status":200/)
  for (const secret of [
    email,
    phone.slice(1),
    another.slice(1),
    PASSWORD,
    'wrong-password',
    'not an address',
    'provider-secret',
    otp,
    alive,
    alive.split('.')[2] ?? '',
    '$2b$',
  ]) {
    t.notOk(log.includes(secret), `not in the log: ${secret}`)
  }
  const trail = await service.database.prisma.auditEvent.findMany({ orderBy: { id: 'asc' } })
  t.same(
    trail.map(({ event }) => event),
    ['login', 'login_failed', 'phone_found_taken', 'phone_checked', 'phone_confirmed'],
  )
  t.match(trail[0], {
    accountId: id,
    subject: /^p\*\*\*@example\.org$/,
    address: world.address,
    requestId: /^[\w-]{36}$/,
  })
  t.match(trail[2]?.subject, /^\+966\*\*\*\d{3}$/)
})
