// CORS: pages of other origins get access only if the configuration allows it, and every response is in the envelope.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { bindings } from '../../generated/operations.ts'
import { readConfig } from '../../src/config/index.ts'
import { corsFor } from '../../src/http/reply/cors.ts'
import { openEdgeServer, SHORT_LIMITS } from '../support/servers/edge-server.ts'
import { rawExchange } from '../support/servers/raw.ts'
import { openService } from '../support/service/service.ts'

const APP = 'https://app.example'
const service = await openService({ config: { corsOrigins: [APP] } })
t.teardown(() => service.close())

type RequestOptions = { method?: string; origin?: string; requestedMethod?: string }

async function send(path: string, { method = 'GET', origin, requestedMethod }: RequestOptions): Promise<Response> {
  const headers: Record<string, string> = {
    ...(origin && { origin }),
    ...(requestedMethod && { 'access-control-request-method': requestedMethod }),
  }
  return fetch(service.origin + path, { method, headers })
}

void t.test('lets a page of an allowed origin send requests and read responses', async (t) => {
  const preflight = await send('/api/v1/profile', { method: 'OPTIONS', origin: APP, requestedMethod: 'PUT' })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-origin'), APP)
  t.match(preflight.headers.get('access-control-allow-methods'), /PATCH.*PUT/)

  const refused = await send('/api/v1/profile', { origin: APP })
  t.equal(refused.status, 401)
  t.equal(refused.headers.get('access-control-allow-origin'), APP)
  t.match(refused.headers.get('access-control-expose-headers'), /Error-Code/)
  t.match(refused.headers.get('vary'), /Accept-Language, Origin/i)
})

void t.test('gives a page of another origin no CORS headers', async (t) => {
  const preflight = await send('/api/v1/profile', {
    method: 'OPTIONS',
    origin: 'https://evil.example',
    requestedMethod: 'PUT',
  })
  t.equal(preflight.headers.get('access-control-allow-origin'), null)
  const refused = await send('/api/v1/profile', { origin: 'https://evil.example' })
  t.equal(refused.headers.get('access-control-allow-origin'), null)
})

void t.test('rejects unknown paths and methods as without CORS', async (t) => {
  const outcome = async (path: string, options: RequestOptions): Promise<unknown[]> => {
    const response = await send(path, options)
    const { code } = (await response.json()) as { code: number }
    return [response.status, code, response.headers.get('error-code'), response.headers.get('allow')]
  }
  t.same(await outcome('/nothing', {}), [404, 404, 'route_unknown', null])
  t.same(await outcome('/nothing', { method: 'OPTIONS' }), [404, 404, 'route_unknown', null])
  t.same(await outcome('/api/v1/profile', { method: 'OPTIONS' }), [
    405,
    405,
    'method_not_allowed',
    'GET, HEAD, PATCH, PUT',
  ])
  t.same(await outcome('/api/v1/profile', { method: 'POST', origin: APP }), [
    405,
    405,
    'method_not_allowed',
    'GET, HEAD, PATCH, PUT',
  ])
})

const EXPOSED = [
  'Accept',
  'Code-Channel',
  'Content-Disposition',
  'Content-Language',
  'Deprecation',
  'Error-Code',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Mfa-Methods',
  'Offered-Channels',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
]
const HEAD = `Host: x\r\nOrigin: ${APP}\r\nAccept-Language: en\r\n`
const JSON_HEAD = `${HEAD}Content-Type: application/json\r\n`

const failures: Record<number, string[]> = {
  400: [`GET /api/v1/%zz HTTP/1.1\r\n${HEAD}\r\n`],
  401: [`GET /api/v1/auth/check HTTP/1.1\r\n${HEAD}\r\n`],
  404: [`GET /nothing HTTP/1.1\r\n${HEAD}\r\n`],
  405: [`POST /api/v1/profile HTTP/1.1\r\n${HEAD}\r\n`],
  413: [`POST /api/v1/auth/login HTTP/1.1\r\n${JSON_HEAD}Content-Length: 99999999\r\n\r\n`],
  415: [`POST /api/v1/auth/login HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n{}`],
  417: [`POST /api/v1/auth/login HTTP/1.1\r\n${JSON_HEAD}Expect: foo\r\nContent-Length: 2\r\n\r\n{}`],
  431: [`GET /nothing HTTP/1.1\r\n${HEAD}${'X: y\r\n'.repeat(120)}\r\n`],
}

void t.test('the guides list the headers that scripts can read', (t) => {
  for (const language of ['ar', 'en']) {
    const [, text = ''] = readFileSync(`docs/guides/${language}/sdks.md`, 'utf8').split('CORS_ORIGINS')
    const listed = [...(text.split('\n\n')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    t.same(listed.sort(), [...EXPOSED].sort(), language)
  }
  t.end()
})

function judge(t: Test, headers: Record<string, string>): void {
  t.equal(headers['access-control-allow-origin'], APP)
  t.same(headers['access-control-expose-headers']?.split(', ').sort(), [...EXPOSED].sort())
  t.equal(headers['vary'], 'Accept-Language, Origin')
  t.equal(headers['content-language'], 'en')
}

for (const [status, writes] of Object.entries(failures)) {
  void t.test(`lets a page of an allowed origin read a ${status}`, async (t) => {
    const received = await rawExchange(service.origin, ...writes)
    t.equal(received.status, Number(status))
    judge(t, received.headers)
  })
}

/** Headers of CORS and caches, and those that browsers show to every page */
const NOT_EXPOSED = [
  'Access-Control-Allow-Origin',
  'Cache-Control',
  'Content-Length',
  'Content-Type',
  'Vary',
  'WWW-Authenticate',
]

type Declared = { headers?: Record<string, unknown> }
type Paths = Record<string, Record<string, { responses?: Record<string, Declared> }>>

void t.test('lets a page read every response header that the document declares', (t) => {
  const { paths, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
    paths: Paths
    components: { responses: Record<string, Declared> }
  }
  const own = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses }) => Object.values(responses ?? {})),
  )
  const names = [...own, ...Object.values(components.responses)].flatMap(({ headers }) => Object.keys(headers ?? {}))
  const declared = new Set(names.filter((name) => !NOT_EXPOSED.includes(name)))
  t.ok(declared.has('Content-Disposition') && declared.has('Error-Code'))
  t.same(
    [...declared].filter((name) => !EXPOSED.includes(name)),
    [],
  )
  t.end()
})

void t.test('lets a page of an allowed origin read why its body was rejected', async (t) => {
  const edge = await openEdgeServer({ corsOrigins: [APP], connectionLimits: SHORT_LIMITS })
  const late = await rawExchange(edge.origin, `POST /json HTTP/1.1\r\n${JSON_HEAD}Content-Length: 9\r\n\r\n{`)
  t.equal(late.status, 408)
  judge(t, late.headers)
  const broken = `POST /json HTTP/1.1\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n`
  const malformed = await rawExchange(edge.origin, broken, 'ZZ\r\n')
  t.equal(malformed.status, 400)
  judge(t, malformed.headers)
})

void t.test('allows every method of every operation in preflight responses, also on unknown paths', async (t) => {
  const paths = Object.values(bindings).map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/, 'x') }))
  for (const { method, path } of [...paths, { method: 'GET', path: '/nothing' }, { method: 'GET', path: '/docs' }]) {
    const headers = {
      origin: APP,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,if-match',
    }
    const preflight = await fetch(service.origin + path, { method: 'OPTIONS', headers })
    const allowed = preflight.headers.get('access-control-allow-methods')?.split(', ') ?? []
    if (preflight.status !== 204 || !allowed.includes(method)) t.fail(`${method} ${path}: ${preflight.status}`)
    t.match(preflight.headers.get('access-control-allow-headers'), 'authorization,content-type,if-match')
    t.equal(preflight.headers.get('access-control-allow-origin'), APP)
  }
})

void t.test('allows local origins in development only, unless configured otherwise', (t) => {
  const local = ['http://localhost:5173', 'https://localhost', 'http://127.0.0.1:3000', 'http://[::1]:8080']
  const others = [
    'http://localhost.evil.example',
    'http://127.0.0.2',
    'https://evil.example',
    'null',
    'http://localhost:x',
  ]
  const { allowsLocalOrigins: isAllowed } = readConfig({})
  t.equal(isAllowed, true)
  const cors = corsFor({ corsOrigins: [], allowsLocalOrigins: isAllowed })
  for (const origin of local) t.equal(cors.headersFor(origin)['access-control-allow-origin'], origin)
  for (const origin of others) t.same(cors.headersFor(origin), {}, origin)
  t.same(cors.headersFor(undefined), {})

  t.equal(readConfig({ CORS_ORIGINS: APP }).allowsLocalOrigins, false)
  t.equal(readConfig({ NODE_ENV: 'test' }).allowsLocalOrigins, false)
  const none = corsFor({ corsOrigins: [], allowsLocalOrigins: false })
  t.same(
    [...local, ...others].map(none.headersFor),
    [...local, ...others].map(() => ({})),
  )
  t.same(none.vary, [])
  t.end()
})

void t.test('compares origins as browsers write them', (t) => {
  const cors = corsFor({ corsOrigins: ['https://App.Example:443'], allowsLocalOrigins: false })
  t.equal(cors.headersFor(APP)['access-control-allow-origin'], APP)
  t.end()
})

void t.test('lets a page of an allowed origin read that the service is shutting down', async (t) => {
  service.app.shutdown.isOver = true
  const received = await rawExchange(service.origin, `GET /api/v1/lookups HTTP/1.1\r\n${HEAD}\r\n`)
  t.equal(received.status, 503)
  t.equal(received.headers['error-code'], 'shutting_down')
  judge(t, received.headers)
  const preflight = await send('/api/v1/profile', { method: 'OPTIONS', origin: APP, requestedMethod: 'PUT' })
  t.equal(preflight.status, 204)
})
