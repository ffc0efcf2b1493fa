// Errors say what would be accepted, in both languages, and link to their row in the list of errors.
import fc from 'fast-check'
import t from 'tap'
import { ERROR_STATUS } from '../../generated/errors.ts'
import { parseJson } from '../../src/contract/json.ts'
import { Failure } from '../../src/domain/failure.ts'
import { rawExchange } from '../support/servers/raw.ts'
import { userPath } from '../support/cases/administration.ts'
import { openWorld, sharedService } from '../support/service/world.ts'

const { origin } = await sharedService()

/** A login with a body, or the head of another request */
const json = (body: string): string =>
  `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nLANGUAGE\r\n\r\n${body}`
const get = (path: string, lines = 'Host: x\r\n'): string => `GET ${path} HTTP/1.1\r\n${lines}LANGUAGE\r\n\r\n`

const place = (line: number, column: number): RegExp =>
  new RegExp(`line ${line}, column ${column}\\.$|السطر ${line}، العمود ${column}\\.$`)

/** Node rejects bytes other than ASCII in a URL before it has the headers, so the message is in the default language. */
const HINTS: Record<string, readonly [code: string, hint: RegExp, request: string]> = {
  'a comma too many': ['malformed_request', place(1, 8), json('{"a":1,}')],
  'a literal on another line': ['malformed_request', place(3, 8), json('{\n  "a": 1,\n  "b": tru\n}')],
  'JSON in single quotes': ['malformed_request', place(1, 2), json("{'email': 'a'}")],
  'a comment': ['malformed_request', place(1, 1), json('// login\n{}')],
  'a body that ends early': ['malformed_request', place(1, 6), json('{"a":"x')],
  'a member twice': ['malformed_request', place(1, 9), json('{"a": 1,"a": 2}')],
  'a forbidden name': ['malformed_request', place(1, 2), json('{"__proto__": 1}')],
  'raw Arabic in a path': ['malformed_request', /%D8%B3/, get('/api/v1/lookups/س')],
  'raw Arabic in a query': ['malformed_request', /%D8%B3/, get('/api/v1/lookups/languages?q=س')],
  'Windows-1256 in a query': ['malformed_request', /%D8%B3/, get('/api/v1/lookups/languages?q=%C7%E1%DA')],
  'an escape without digits in a path': ['malformed_request', /%D8%B3/, get('/api/v1/files/%zz')],
  'no Host': ['malformed_request', /Host/, get('/api/v1/lookups', '')],
  'two Hosts': ['malformed_request', /Host/, get('/api/v1/lookups', 'Host: x\r\nHost: y\r\n')],
  'two Authorizations': [
    'malformed_request',
    /Authorization/,
    get('/api/v1/profile', 'Host: x\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\n'),
  ],
  'a text in place of JSON': [
    'media_type_unsupported',
    /application\/json/,
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1\r\nLANGUAGE\r\n\r\nx',
  ],
}

for (const [title, [code, hint, request]] of Object.entries(HINTS)) {
  void t.test(`says what would be accepted: ${title}`, async (t) => {
    for (const language of ['ar', 'en'] as const) {
      const sent = request.replace('LANGUAGE', `Accept-Language: ${language}\r\nConnection: close`)
      const { status, headers, body } = await rawExchange(origin, sent)
      t.equal(status, ERROR_STATUS[code as keyof typeof ERROR_STATUS])
      t.equal(headers['error-code'], code)
      t.match(body.message, hint)
      t.equal(headers['link'], `</docs/${headers['content-language'] ?? ''}/errors/#${code}>; rel="help"`)
    }
  })
}

for (const language of ['ar', 'en']) {
  void t.test(`has a row for each error code, in the language ${language}`, async (t) => {
    const page = await (await fetch(`${origin}/docs/${language}/errors/`)).text()
    for (const code of Object.keys(ERROR_STATUS)) t.equal(page.split(`<td id="${code}">`).length, 2, code)
  })
}

void t.test('states a place in every text that is no JSON', (t) => {
  const cut = fc.tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom('', ',', '}', '"', "'", '\\', '\n', '/*', '0', 'س', '\u0007'),
  )
  const texts = cut.map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % 7))
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(texts, (text) => {
        let expected: unknown
        try {
          expected = JSON.stringify(JSON.parse(text))
        } catch {
          expected = 'malformed_request'
        }
        try {
          return JSON.stringify(parseJson(Buffer.from(text))) === expected
        } catch (error) {
          if (!(error instanceof Failure)) return false
          const { line = 0, column = 0 } = error.hints
          const lines = text.split('\n')
          return line > 0 && line <= lines.length && column > 0 && column <= (lines[line - 1] ?? '').length + 1
        }
      }),
      { numRuns: 5000 },
    ),
  )
  t.end()
})

void t.test('gives an example of a text with a format', async (t) => {
  const body = JSON.stringify({ phone_code: '966', phone: '12' })
  const headers = { 'content-type': 'application/json', 'accept-language': 'en' }
  const response = await fetch(`${origin}/api/v1/auth/check-phone`, { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data: unknown }
  t.match(data, { errors: { phone: ['This must have at least 3 characters. For example: 512345678'] } })
})

const ACCEPTED: Record<string, readonly [path: string, sent: object, field: string, expected: RegExp]> = {
  'the example of a header': [
    '/auth/check-phone',
    {
      headers: { 'idempotency-key': '01890a5d-ac96-774b-bcce-b302099a8057' },
      json: { phone_code: '966', phone: '0551234567' },
    },
    'Idempotency-Key',
    /For example: 8e03978e-40d5-43e8-bc93-6894a57f9324$/,
  ],
  'the variants of a body': ['/auth/forgot-password', { json: { by: 'x' } }, 'by', /Accepted: email, phone\.?$/],
}

for (const [title, [path, sent, field, expected]] of Object.entries(ACCEPTED)) {
  void t.test(`says what a field accepts: ${title}`, async (t) => {
    const { headers = {}, json } = sent as { headers?: object; json: object }
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'accept-language': 'en', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
    })
    const { data } = (await response.json()) as { data: { errors: Record<string, string[]> } }
    t.match(data.errors[field] ?? data.errors[field.toLowerCase()], [expected])
  })
}

void t.test('gives no example where it would say nothing', async (t) => {
  const world = await openWorld()
  const token = await (await world.person({ isAdmin: true })).token()
  const { body } = await world.send('adminSuspendUser')({
    ...userPath(await world.person()),
    token,
    json: { reason: '' },
  })
  const [message = ''] = (body.data as { errors: { reason: string[] } }).errors.reason
  t.notMatch(message, 'انتحال')
  t.match(message, /^(This field is required\.|هذا الحقل مطلوب\.?)$/)
})
