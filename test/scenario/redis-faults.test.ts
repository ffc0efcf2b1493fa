// Without Redis, reads and logins go on with limits of this process, and nothing is sent.
import t, { type Test } from 'tap'
import { openProxy, type Proxy } from '../support/proxy.ts'
import { openService, type Service } from '../support/service.ts'
import { openWorld, type World } from '../support/world.ts'

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

/** Lines of the log about Redis: the level and the text. */
function linesAbout({ service }: Setting): string[] {
  const lines = service.log.map((line) => JSON.parse(line) as { level: number; msg: string })
  return lines.filter(({ msg }) => msg.startsWith('Redis')).map(({ level, msg }) => `${level} ${msg}`)
}

/** Commands of counters that wait in the proxy. Each may have held up a request for the time of one command. */
function stalledIn({ proxy }: Setting): number {
  return proxy.heldText().match(/evalsha|eval\r/gi)?.length ?? 0
}

for (const fault of ['cut', 'freeze'] as const) {
  void t.test(`Redis is away (${fault})`, { skip }, async (t) => {
    const setting = await behindProxy(t)
    const { world, proxy } = setting
    const { email, token } = await world.person()
    const alive = await token()
    t.equal((await guess(setting, 'nobody@example.org')).status, 401)
    t.same(linesAbout(setting), [], 'while it is there nothing is said of it')
    proxy[fault]()

    t.equal((await world.send('checkToken')({ token: alive })).status, 200, 'reads go on')
    t.equal((await guess(setting, email)).status, 401, 'logins go on')
    t.equal(stalledIn(setting), fault === 'freeze' ? 1 : 0, 'a login waits for one command, and not for the others')
    const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(setting, email)))
    t.equal(guesses.filter(({ status }) => status === 401).length, 9, 'with limits')

    const phone = world.newPhone()
    const received = await world.send('checkPhone')({ form: { phone_code: '966', phone } })
    t.equal(received.status, 503)
    t.equal(received.headers['error-code'], 'limits_unavailable')
    t.same(world.textsTo(phone), [], 'nothing is sent')
    t.equal(stalledIn(setting), fault === 'freeze' ? 1 : 0, 'nobody else waits')
    t.same(linesAbout(setting), ['40 Redis is away'], 'one line tells of it')

    proxy.mend()
    const deadlineMs = Date.now() + BACK_MS_MAX
    let status = 0
    while (status !== 200 && Date.now() < deadlineMs) {
      ;({ status } = await world.send('checkPhone')({ form: { phone_code: '966', phone } }))
    }
    t.equal(status, 200, 'all is well when it is back')
    t.same(linesAbout(setting), ['40 Redis is away', '30 Redis is back'], 'and one line tells of that')
    const later = await Promise.all(Array.from({ length: 20 }, () => guess(setting, email)))
    t.equal(later.filter(({ status }) => status === 429).length >= 10, true, 'limits are counted in it again')
  })
}

void t.test('Redis freezes while many log in: all of them wait for one command at most', { skip }, async (t) => {
  const setting = await behindProxy(t)
  const emails = Array.from({ length: 20 }, (_, at) => `nobody-${at}@example.org`)
  await guess(setting, 'nobody@example.org')
  setting.proxy.freeze()
  const guesses = await Promise.all(emails.map((email) => guess(setting, email)))
  t.same([...new Set(guesses.map(({ status }) => status))], [401])
  t.ok(stalledIn(setting) <= emails.length, `${stalledIn(setting)} commands were held up`)
  t.same(linesAbout(setting), ['40 Redis is away'])
})
