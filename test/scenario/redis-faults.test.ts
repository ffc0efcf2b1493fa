// Without Redis, reads and logins go on with limits of this process, and nothing is sent.
import t from 'tap'
import { openProxy } from '../support/proxy.ts'
import { openService } from '../support/service.ts'
import { openWorld } from '../support/world.ts'

const ADDED_MS_MAX = 250 + 250 // and what a slow machine needs
const REDIS_URL = process.env['REDIS_URL']
const skip = REDIS_URL === undefined && 'needs a real Redis: set REDIS_URL'

for (const fault of ['cut', 'freeze'] as const) {
  void t.test(`Redis is away (${fault})`, { skip }, async (t) => {
    const { hostname, port } = new URL(REDIS_URL ?? '')
    const proxy = await openProxy({ host: hostname, port: Number(port || 6379) })
    const service = await openService({ config: { redisUrl: `redis://127.0.0.1:${proxy.port}` } })
    t.teardown(async () => {
      await service.close()
      proxy.close()
    })
    const world = await openWorld(service)
    const { email, token } = await world.person()
    const alive = await token()
    proxy[fault]()

    t.equal((await world.send('checkToken')({ token: alive })).status, 200, 'reads go on')
    const startMs = Date.now()
    t.equal((await world.send('login')({ json: { email, password: 'wrong' } })).status, 401, 'logins go on')
    t.ok(Date.now() - startMs < ADDED_MS_MAX * 3, 'promptly: two counters, and one is given back')
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => world.send('login')({ json: { email, password: 'wrong' } })),
    )
    t.ok(guesses.filter(({ status }) => status === 401).length <= 10, 'with limits')

    const phone = world.newPhone()
    const received = await world.send('checkPhone')({ form: { phone_code: '966', phone } })
    t.equal(received.headers['error-code'], 'limits_unavailable')
    t.same(world.textsTo(phone), [], 'nothing is sent')

    proxy.mend()
    const deadlineMs = Date.now() + 5000
    let status = 0
    while (status !== 200 && Date.now() < deadlineMs) {
      ;({ status } = await world.send('checkPhone')({ form: { phone_code: '966', phone } }))
    }
    t.equal(status, 200, 'all is well when it is back')
  })
}
