// The warning that a proxy seems to be in use, but is not trusted.
import t from 'tap'
import { openService } from '../support/service/service.ts'

const headers = { 'x-forwarded-for': '203.0.113.7' }

for (const { trustedProxies, warnings } of [
  { trustedProxies: [], warnings: 1 },
  { trustedProxies: ['127.0.0.1'], warnings: 0 },
]) {
  void t.test(`warns ${warnings} times with ${trustedProxies.length} trusted proxies`, async (t) => {
    const service = await openService({ config: { trustedProxies } })
    t.teardown(() => service.close())
    const found = (): number => service.log.filter((line) => line.includes('TRUST_PROXY is not set')).length
    t.equal((await fetch(`${service.origin}/health/live`)).status, 200)
    t.equal(found(), 0, 'not without the header')
    for (let requests = 0; requests < 3; requests++) await fetch(`${service.origin}/health/live`, { headers })
    t.equal(found(), warnings)
  })
}
