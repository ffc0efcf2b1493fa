// Bytes on a connection that no honest client writes, and methods and paths that the document does not have.
import { fuzzedOperations } from './document.ts'
import { hostileText } from './hostile.ts'
import type { Random } from './random.ts'

export type Oddity = Readonly<{ name: string; bytes: Buffer; isHead: boolean }>

const METHODS = [
  ...['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PUT', 'DELETE', 'POST', 'GET'],
  ...['PROPFIND', 'QUERY', 'SEARCH', 'get', 'X'],
]
const JSON_BODY = '{"phone_code":"966","phone":"0512345678"}'
const POST =
  'POST /api/v1/auth/check-phone HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n'
const CHUNK = `${JSON_BODY.length.toString(16)}\r\n${JSON_BODY}\r\n`
const GET = 'GET /api/v1/auth/check HTTP/1.1\r\nConnection: close\r\n'

const PATHS: readonly ((path: string, random: Random) => string)[] = [
  (path) => `${path}/`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.toUpperCase(),
  (path) => `${path}%00`,
  (path) => `${path}/..%2f..%2fetc`,
  (path) => `/api/v1/../..${path}`,
  (path) => `${path};a=b`,
  (path) => `${path}?`,
  (path) => `${path}?a[b]=c&a[b]=d&__proto__[x]=1&%ff=%fe&=&&`,
  (path) => `${path}#fragment`,
  (path) => path.replace('auth', '%61uth'),
  (path) => path.replace(/[^/]*$/, '%'),
  (path) => path.replace(/[^/]*$/, '%ff%fe'),
  (path) => path.replace(/[^/]*$/, 'x'.repeat(5000)),
  (path) => `http://elsewhere.example${path}`,
  (_path, random) => `/${encodeURIComponent(hostileText(random).toWellFormed())}`,
  (_path, random) => random.pick(OTHER_PATHS),
]
const OTHER_PATHS = [
  ...['*', '/', '/docs', '/docs/x', '/openapi.json', '/openapi.yaml', '/health/ready', '/health/live'],
  ...['/dev/outbox', '/api/v1/files/x'],
]

const FRAMINGS: Readonly<Record<string, string>> = {
  'no host': `${GET}\r\n`,
  'two hosts': `${GET}Host: a\r\nHost: b\r\n\r\n`,
  'two authorizations': `${GET}Host: a\r\nAuthorization: Bearer a.b.c\r\nAuthorization: Basic x\r\n\r\n`,
  'two content types': `${POST}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
  'many headers': `${GET}Host: a\r\n${'X-Many: 1\r\n'.repeat(3000)}\r\n`,
  'a long header': `${GET}Host: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  'a header without a name': `${GET}Host: a\r\n: x\r\n\r\n`,
  'a folded header': `${GET}Host: a\r\nX-A: b\r\n c\r\n\r\n`,
  'a header with NUL': `${GET}Host: a\r\nX-A: b\u0000c\r\n\r\n`,
  'bytes that are no text': `${GET}Host: a\r\nAccept-Language: \u00ff\u00fe\r\nUser-Agent: \u0080\r\n\r\n`,
  'a length that is too long': `${POST}Content-Length: 500\r\n\r\n${JSON_BODY}`,
  'a length that is too short': `${POST}Content-Length: 5\r\n\r\n${JSON_BODY}`,
  'a length that is none': `${POST}Content-Length: abc\r\n\r\n${JSON_BODY}`,
  'a negative length': `${POST}Content-Length: -1\r\n\r\n${JSON_BODY}`,
  'two lengths': `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
  'no length': `${POST}\r\n${JSON_BODY}`,
  'a huge length': `${POST}Content-Length: 99999999999999999999\r\n\r\n${JSON_BODY}`,
  'length and chunks': `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'good chunks': `${POST}Transfer-Encoding: chunked\r\n\r\n${CHUNK}0\r\n\r\n`,
  'a broken chunk': `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${JSON_BODY}\r\n0\r\n\r\n`,
  'chunks that do not end': `${POST}Transfer-Encoding: chunked\r\n\r\n${CHUNK}`,
  'an unknown transfer encoding': `${POST}Transfer-Encoding: gzip, x\r\n\r\n${JSON_BODY}`,
  'an expectation': `${POST}Expect: 100-continue\r\nContent-Length: ${JSON_BODY.length}\r\n\r\n${JSON_BODY}`,
  'an unknown expectation': `${POST}Expect: miracle\r\nContent-Length: ${JSON_BODY.length}\r\n\r\n${JSON_BODY}`,
  'an upgrade': `${GET}Host: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'http/1.0': 'GET /api/v1/lookups/languages HTTP/1.0\r\n\r\n',
  'http/0.9': 'GET /api/v1/lookups/languages\r\n\r\n',
  'http/9.9': 'GET / HTTP/9.9\r\n\r\n',
  'http/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a connect': 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
  'half a request': 'GET /api/v1/auth/ch',
  'no request': '\r\n\r\n\r\n',
  'other bytes': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'two requests': `GET / HTTP/1.1\r\nHost: a\r\n\r\n${GET}Host: a\r\n\r\n`,
  'a form that ends early':
    POST.replace('application/json', 'multipart/form-data; boundary=x') +
    'Content-Length: 500\r\n\r\n--x\r\nContent-Disposition: form-data; name="phone"\r\n\r\n05',
}

export function newOddity(random: Random): Oddity {
  if (random.chance(0.5)) {
    const [name, text] = random.pick(Object.entries(FRAMINGS))
    return { name, bytes: Buffer.from(text, 'latin1'), isHead: false }
  }
  const method = random.pick(METHODS)
  const operation = random.pick(fuzzedOperations)
  const path = random.chance(0.4) ? operation.path : random.pick(PATHS)(operation.path, random)
  const head = `${method} ${path.replaceAll(' ', '%20')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
  const body = random.chance(0.5)
    ? `Content-Type: application/json\r\nContent-Length: ${JSON_BODY.length}\r\n\r\n${JSON_BODY}`
    : '\r\n'
  return { name: 'another method or path', bytes: Buffer.from(head + body, 'latin1'), isHead: method === 'HEAD' }
}
