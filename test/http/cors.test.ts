// Pages of other origins: closed unless the operator opens the service to them, and the envelope all the same.
import t from 'tap'
import { openService } from '../support/service.ts'

const APP = 'https://app.example'
const service = await openService({ config: { corsOrigins: [APP] } })
t.teardown(() => service.close())

type Asked = { method?: string; origin?: string; asks?: string }

async function ask(path: string, { method = 'GET', origin, asks }: Asked): Promise<Response> {
  const headers: Record<string, string> = {
    ...(origin && { origin }),
    ...(asks && { 'access-control-request-method': asks }),
  }
  return fetch(service.origin + path, { method, headers })
}

void t.test('a page of an allowed origin may ask and read', async (t) => {
  const preflight = await ask('/api/v1/profile', { method: 'OPTIONS', origin: APP, asks: 'PUT' })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-origin'), APP)
  t.match(preflight.headers.get('access-control-allow-methods'), /PUT/)

  const refused = await ask('/api/v1/profile', { origin: APP })
  t.equal(refused.status, 401)
  t.equal(refused.headers.get('access-control-allow-origin'), APP)
  t.match(refused.headers.get('access-control-expose-headers'), /Error-Code/)
  t.match(refused.headers.get('vary'), /Accept-Language, Origin/i)
})

void t.test('a page of another origin may not', async (t) => {
  const preflight = await ask('/api/v1/profile', { method: 'OPTIONS', origin: 'https://evil.example', asks: 'PUT' })
  t.equal(preflight.headers.get('access-control-allow-origin'), null)
  const refused = await ask('/api/v1/profile', { origin: 'https://evil.example' })
  t.equal(refused.headers.get('access-control-allow-origin'), null)
})

void t.test('what is not served is refused as without origins', async (t) => {
  const told = async (path: string, asked: Asked): Promise<unknown[]> => {
    const response = await ask(path, asked)
    const { code } = (await response.json()) as { code: number }
    return [response.status, code, response.headers.get('error-code'), response.headers.get('allow')]
  }
  t.same(await told('/nothing', {}), [404, 404, 'route_unknown', null])
  t.same(await told('/nothing', { method: 'OPTIONS' }), [404, 404, 'route_unknown', null])
  t.same(await told('/api/v1/profile', { method: 'OPTIONS' }), [405, 405, 'method_not_allowed', 'GET, HEAD, PUT'])
  t.same(await told('/api/v1/profile', { method: 'PATCH', origin: APP }), [
    405,
    405,
    'method_not_allowed',
    'GET, HEAD, PUT',
  ])
})
