// Without Redis, reads and logins continue with limits in memory, and no SMS is sent.
import t, { type Test } from 'tap'
import { openProxy, type Proxy } from '../../support/servers/proxy.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const BACK_MS_MAX = 5000
const REDIS_URL = process.env['REDIS_URL']
const skip = REDIS_URL === undefined && 'needs a real Redis: set REDIS_URL'

type Setting = { service: Service; world: World; proxy: Proxy }

async function behindProxy(t: Test): Promise<Setting> {
  const { hostname, port } = new URL(REDIS_URL ?? '')
  const proxy = await openProxy({ host: hostname, port: Number(port || 6379) })
  const service = await openService({ config: { redisUrl: `redis://127.0.0.1:${proxy.port}` } })
  t.teardown(async () => {
    await service.close()
    proxy.close()
  })
  return { service, world: await openWorld(service), proxy }
}

function guess({ world }: Setting, email: string): Promise<{ status: number }> {
  return world.send('login')({ json: { email, password: 'wrong' } })
}

/** Returns the lines of the log about Redis: the level and the text. */
function linesAbout({ service }: Setting): string[] {
  const lines = service.log.map((line) => JSON.parse(line) as { level: number; msg: string })
  return lines.filter(({ msg }) => msg.startsWith('Redis')).map(({ level, msg }) => `${level} ${msg}`)
}

/** Counts the commands that wait in the proxy. Each may have delayed a request by the time of one command. */
function stalledIn({ proxy }: Setting): number {
  return proxy.heldText().match(/evalsha|eval\r/gi)?.length ?? 0
}

for (const fault of ['cut', 'freeze'] as const) {
  void t.test(`continues without Redis, and recovers (${fault})`, { skip }, async (t) => {
    const setting = await behindProxy(t)
    const { world, proxy } = setting
    const { email, token } = await world.person()
    const alive = await token()
    t.equal((await guess(setting, 'nobody@example.org')).status, 401)
    t.same(linesAbout(setting), [], 'nothing is logged while Redis is available')
    proxy[fault]()

    t.equal((await world.send('checkToken')({ token: alive })).status, 200, 'reads succeed')
    t.equal((await guess(setting, email)).status, 401, 'logins are evaluated')
    t.equal(stalledIn(setting), fault === 'freeze' ? 1 : 0, 'a login waits for one command, and not for the others')
    const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(setting, email)))
    t.equal(guesses.filter(({ status }) => status === 401).length, 9, 'limits apply')

    const phone = world.newPhone()
    const received = await world.send('checkPhone')({ form: { phone_code: '966', phone } })
    t.equal(received.status, 503)
    t.equal(received.headers['error-code'], 'limits_unavailable')
    t.same(world.textsTo(phone), [], 'nothing is sent')
    t.equal(stalledIn(setting), fault === 'freeze' ? 1 : 0, 'no other request waits')
    t.same(
      linesAbout(setting),
      ['40 Redis is unavailable: limits are counted in memory, and no SMS is sent'],
      'the outage is logged once',
    )

    proxy.restore()
    const deadlineMs = Date.now() + BACK_MS_MAX
    let status = 0
    while (status !== 200 && Date.now() < deadlineMs) {
      ;({ status } = await world.send('checkPhone')({ form: { phone_code: '966', phone } }))
    }
    t.equal(status, 200, 'messages are sent after the recovery')
    t.same(
      linesAbout(setting),
      ['40 Redis is unavailable: limits are counted in memory, and no SMS is sent', '30 Redis is available again'],
      'the recovery is logged once',
    )
    const later = await Promise.all(Array.from({ length: 20 }, () => guess(setting, email)))
    t.equal(later.filter(({ status }) => status === 429).length >= 10, true, 'limits are counted in Redis again')
  })
}

void t.test('delays concurrent logins by one command at most when Redis freezes', { skip }, async (t) => {
  const setting = await behindProxy(t)
  const emails = Array.from({ length: 20 }, (_, at) => `nobody-${at}@example.org`)
  await guess(setting, 'nobody@example.org')
  setting.proxy.freeze()
  const guesses = await Promise.all(emails.map((email) => guess(setting, email)))
  t.same([...new Set(guesses.map(({ status }) => status))], [401])
  t.ok(stalledIn(setting) <= emails.length, `${stalledIn(setting)} commands were delayed`)
  t.same(linesAbout(setting), ['40 Redis is unavailable: limits are counted in memory, and no SMS is sent'])
})
