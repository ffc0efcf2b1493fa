// Every response is in the envelope, whatever path it takes through the server.
import { METHODS } from 'node:http'
import t, { type Test } from 'tap'
import { ERROR_STATUS } from '../../generated/errors.ts'
import { LIMITS } from '../../generated/limits.ts'
import { bindings } from '../../generated/operations.ts'
import type { ErrorCode } from '../../src/domain/failure.ts'
import { ar } from '../../src/messages/ar.ts'
import { en } from '../../src/messages/en.ts'
import type { Received } from '../support/service/responses.ts'
import { rawExchange } from '../support/servers/raw.ts'
import { sharedService } from '../support/service/world.ts'

const { origin } = await sharedService()
const END = 'Host: x\r\nConnection: close\r\n'
/** With the headers of END, one more than the limit */
const MANY = Array.from({ length: LIMITS.headers.max - 1 }, (_, at) => `X-${at}: y\r\n`).join('')
const JSON_POST = `POST /api/v1/auth/login HTTP/1.1\r\n${END}Content-Type: application/json\r\n`

function isRefusal(t: Test, { status, headers, body }: Received, code: ErrorCode): void {
  t.equal(status, ERROR_STATUS[code])
  t.same(Object.keys(body), ['status', 'code', 'message', 'data'])
  t.same(body, { status: false, code: status, message: body.message, data: null })
  t.ok(
    [ar[code], en[code]].some((message) => body.message.startsWith(message)),
    body.message,
  )
  t.equal(headers['error-code'], code)
  t.match(headers['content-type'], /^application\/json/)
  t.match(headers['content-language'], /^(ar|en)$/)
  t.match(headers['x-request-id'], /^[\w-]{36}$/)
  t.equal(headers['cache-control'], 'no-store')
  t.equal(headers['x-content-type-options'], 'nosniff')
}

const cases: Record<string, [code: ErrorCode, ...bytes: (string | Uint8Array)[]]> = {
  'an unknown path': ['route_unknown', `GET /nothing HTTP/1.1\r\n${END}\r\n`],
  'a path below an operation': ['route_unknown', `GET /api/v1/profile/x HTTP/1.1\r\n${END}\r\n`],
  'an unknown page of the documentation': ['route_unknown', `GET /docs/nothing HTTP/1.1\r\n${END}\r\n`],
  'a path that climbs out of the documentation': [
    'route_unknown',
    `GET /docs/..%2f..%2fpackage.json HTTP/1.1\r\n${END}\r\n`,
  ],
  'a path with a slash too many': ['route_unknown', `GET /api/v1/profile/ HTTP/1.1\r\n${END}\r\n`],
  'OPTIONS *': ['route_unknown', `OPTIONS * HTTP/1.1\r\n${END}\r\n`],
  'an invalid escape': ['malformed_request', `GET /api/v1/%zz HTTP/1.1\r\n${END}\r\n`],
  'a missing Host': ['malformed_request', 'GET /api/v1/profile HTTP/1.1\r\nConnection: close\r\n\r\n'],
  'two Hosts': ['malformed_request', `GET /api/v1/lookups HTTP/1.1\r\nhost: y\r\n${END}\r\n`],
  'two Authorizations': [
    'malformed_request',
    `GET /api/v1/auth/check HTTP/1.1\r\nAuthorization: Bearer x\r\nauthorization: Bearer y\r\n${END}\r\n`,
  ],
  'two Authorizations on an unknown path': [
    'malformed_request',
    `GET /nothing HTTP/1.1\r\nAuthorization: Bearer x\r\nAuthorization: Bearer x\r\n${END}\r\n`,
  ],
  'more headers than are read': ['headers_too_large', `GET /api/v1/lookups HTTP/1.1\r\n${END}${MANY}\r\n`],
  'more headers than are read, on an unknown path': ['headers_too_large', `GET /nothing HTTP/1.1\r\n${END}${MANY}\r\n`],
  'more headers than are read, with an invalid escape': [
    'headers_too_large',
    `GET /api/v1/%zz HTTP/1.1\r\n${END}${MANY}\r\n`,
  ],
  'more headers than are read, and a wrong method': [
    'headers_too_large',
    `PUT /health/live HTTP/1.1\r\n${END}${MANY}\r\n`,
  ],
  "more headers than Node's default limit": [
    'headers_too_large',
    `GET /api/v1/auth/check HTTP/1.1\r\n${'a:\r\n'.repeat(2500)}Authorization: Bearer x\r\n${END}\r\n`,
  ],
  'bytes that are not HTTP': ['malformed_request', 'GARBAGE\r\n\r\n'],
  'an unknown HTTP version': ['malformed_request', `GET / HTTP/9.9\r\n${END}\r\n`],
  'an unknown method': ['malformed_request', `FOO / HTTP/1.1\r\n${END}\r\n`],
  'a header without a name': ['malformed_request', `GET / HTTP/1.1\r\n${END}: x\r\n\r\n`],
  'a too large header': ['headers_too_large', `GET / HTTP/1.1\r\n${END}X: ${'a'.repeat(30_000)}\r\n\r\n`],
  'a too large path': ['headers_too_large', `GET /${'a'.repeat(30_000)} HTTP/1.1\r\n${END}\r\n`],
  'two lengths of one body': [
    'malformed_request',
    `${JSON_POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  'a length that is not a number': ['malformed_request', `${JSON_POST}Content-Length: abc\r\n\r\n`],
  'a compressed body': [
    'malformed_request',
    `${JSON_POST}Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  'an invalid chunk': ['malformed_request', `${JSON_POST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`],
  'an unknown transfer encoding': ['malformed_request', `${JSON_POST}Transfer-Encoding: foo\r\n\r\n`],
  'an unsupported expectation': ['expectation_failed', `${JSON_POST}Expect: foo\r\nContent-Length: 2\r\n\r\n{}`],
  CONNECT: ['method_not_allowed', `CONNECT x:1 HTTP/1.1\r\n${END}\r\n`],
  'a body over the limit, announced': ['body_too_large', `${JSON_POST}Content-Length: 99999999\r\n\r\n`],
  'a body over the limit, in chunks': [
    'body_too_large',
    `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array<string>(8).fill(`4000\r\n${'a'.repeat(0x4000)}\r\n`),
  ],
  'an invalid media type': [
    'media_type_unsupported',
    `POST /api/v1/auth/login HTTP/1.1\r\n${END}Content-Type: ;;;\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  'a body without a media type': [
    'media_type_unsupported',
    `POST /api/v1/auth/login HTTP/1.1\r\n${END}Content-Length: 2\r\n\r\n{}`,
  ],
  'an upgrade to another protocol': [
    'token_missing',
    'GET /api/v1/profile HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
}

for (const [title, [code, ...bytes]] of Object.entries(cases)) {
  void t.test(`responds ${code} to ${title}`, async (t) => isRefusal(t, await rawExchange(origin, ...bytes), code))
}

void t.test('responds request_timeout to a request that does not end', async (t) => {
  const received = await rawExchange(origin, 'GET / HTTP/1.1\r\nHost: x\r\n')
  isRefusal(t, received, 'request_timeout')
})

void t.test('responds 405 with Allow to every other method on every path', async (t) => {
  const served = [
    ...Object.values(bindings).map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/, 'x') })),
    ...['/health/live', '/health/ready', '/openapi.json', '/docs/'].map((path) => ({ method: 'GET', path })),
  ]
  for (const path of new Set(served.map((each) => each.path))) {
    const methods = served.filter((each) => each.path === path).map(({ method }) => method)
    const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()
    for (const other of METHODS.filter((each) => !allowed.includes(each) && each !== 'CONNECT')) {
      const received = await rawExchange(origin, `${other} ${path} HTTP/1.1\r\n${END}\r\n`)
      if (received.status !== 405 || received.headers['allow'] !== allowed.join(', '))
        t.fail(`${other} ${path}: ${received.status}, Allow: ${received.headers['allow'] ?? ''}`)
    }
  }
  isRefusal(t, await rawExchange(origin, `POST /api/v1/profile HTTP/1.1\r\n${END}\r\n`), 'method_not_allowed')
})

void t.test('responds to HEAD as to GET, without a body', async (t) => {
  const response = await fetch(`${origin}/api/v1/auth/jwks`, { method: 'HEAD' })
  t.equal(response.status, 200)
  t.equal(await response.text(), '')
})

void t.test('serves a request with the maximum number of headers', async (t) => {
  const headers = MANY.slice(MANY.indexOf('X-1:'))
  t.equal((await rawExchange(origin, `GET /health/live HTTP/1.1\r\n${END}${headers}\r\n`)).status, 200)
})

void t.test('serves HTTP/1.0 without Host', async (t) => {
  const received = await rawExchange(origin, 'GET /health/live HTTP/1.0\r\n\r\n')
  t.equal(received.status, 200)
})

void t.test('chooses the language by weight, and Arabic by default', async (t) => {
  const languageOf = async (header?: string): Promise<string | null> => {
    const response = await fetch(`${origin}/nothing`, {
      headers: header === undefined ? {} : { 'accept-language': header },
    })
    return response.headers.get('content-language')
  }
  t.equal(await languageOf('en'), 'en')
  t.equal(await languageOf('en-GB'), 'en')
  t.equal(await languageOf('ar-SA,ar;q=0.9,en;q=0.8'), 'ar')
  t.equal(await languageOf('fr,en;q=0.5,ar;q=0.1'), 'en')
  t.equal(await languageOf('fr'), 'ar')
  t.equal(await languageOf('*'), 'ar')
  t.equal(await languageOf(';;;'), 'ar')
})

void t.test('responds 500 in the envelope when something other than an error is thrown', async (t) => {
  const { app } = await sharedService()
  const { store } = app.context
  for (const thrown of [null, undefined, 'text', { statusCode: 200 }]) {
    app.context.store = new Proxy(store, {
      get() {
        throw thrown // eslint-disable-line @typescript-eslint/only-throw-error -- the test throws other values
      },
    })
    const response = await fetch(`${origin}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.org', password: 'x' }),
    })
    t.equal(response.status, 500)
    t.equal(response.headers.get('error-code'), 'unexpected')
  }
  app.context.store = store
})

void t.test('says what would be accepted', async (t) => {
  const post = async (type: string, body: string): Promise<Response> =>
    fetch(`${origin}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': type, 'accept-language': 'en' },
      body,
    })
  const unsupported = await post('text/plain', '{}')
  t.equal(unsupported.headers.get('accept'), 'application/json')
  t.match(await unsupported.json(), { message: 'The content type is not supported. Accepted: application/json.' })
  const invalid = await post('application/json', '{"email": 1, "password": "x", "code": "!"}')
  t.match(await invalid.json(), { data: { errors: { email: ['This value has the wrong type. Accepted: string.'] } } })
  const listed = await fetch(`${origin}/api/v1/lookups/regions?country_id=x`, { headers: { 'accept-language': 'ar' } })
  t.match(await listed.json(), { data: { errors: { country_id: ['نوع هذه القيمة غير صحيح. المقبول: integer.'] } } })
  const reset = await fetch(`${origin}/api/v1/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify({ by: 'phone', phone: '500000001', phone_code: '966', channel: 'fax' }),
  })
  t.match(await reset.json(), {
    data: { errors: { channel: [/^This value is not allowed. Accepted: sms, whatsapp/] } },
  })
})
