// Forms as HTTP clients send them. A report of another client is one more row.
import t from 'tap'
import { openFormServer } from '../support/servers/form-server.ts'

const { origin, leftovers } = await openFormServer()

/** How a client writes a form. A field without a file name is a text. */
type Client = Readonly<{
  boundary: string
  /** The value of the parameter in `Content-Type`; the boundary itself if it is missing */
  parameter?: string
  /** The header lines of a part */
  head(name: string, value: string, file?: { name: string; type: string }): string[]
}>

const quoted = (name: string, file?: { name: string }): string =>
  `form-data; name="${name}"${file ? `; filename="${file.name}"` : ''}`
const usual: Client['head'] = (name, _value, file) => [
  `Content-Disposition: ${quoted(name, file)}`,
  ...(file ? [`Content-Type: ${file.type}`] : []),
]
const lengthOf = (value: string): string => `Content-Length: ${Buffer.byteLength(value)}`
const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text)
const encoded = (text: string): string =>
  isAscii(text) ? `"${text}"` : `"=?utf-8?B?${Buffer.from(text).toString('base64')}?="`
const dartText: Client['head'] = (name, value) => [
  `content-disposition: ${quoted(name)}`,
  ...(isAscii(value) ? [] : ['content-type: text/plain; charset=utf-8', 'content-transfer-encoding: binary']),
]

const CLIENTS: Readonly<Record<string, Client>> = {
  // recorded from the client
  'curl 7.88.1': { boundary: '------------------------fa1d5f013b865953', head: usual },
  'fetch of undici 6.24.1 (Node.js 20.20.2)': { boundary: '----formdata-undici-057997412206', head: usual },
  'axios 1.21.1 with form-data 4.0.6': { boundary: '--------------------------ac3d359320472fe0f05f6e9c', head: usual },
  'Postman (postman-request 2.88.1-postman.8-beta.1)': {
    boundary: '--------------------------639034558586589913693750',
    head: usual,
  },
  'requests 2.34.2 with urllib3 2.7.0': { boundary: '2ea771018374b0ce57086b4d8a30dca2', head: usual },
  'httpx 0.28.1': { boundary: 'c02b84c56e57e8e59961ffe89a7fa729', head: usual },
  'OkHttp 3.13.1': {
    boundary: '038fc46e-4dc7-4fe9-8b27-8fbdaadd1ca0',
    head: (name, value, file) => [...usual(name, value, file), lengthOf(value)],
  },
  // from the source of MultipartStream, guzzlehttp/psr7 2.4.5
  Guzzle: {
    boundary: '1f3870be274f6c49b3e31a0c6728957f1f3870be',
    head: (name, value, file) => [
      `Content-Disposition: ${quoted(name, file)}`,
      lengthOf(value),
      ...(file ? [`Content-Type: ${file.type}`] : []),
    ],
  },
  // from the source of MultipartFormDataContent and ContentDispositionHeaderValue, dotnet/runtime at 04da5a1
  '.NET HttpClient': {
    boundary: '5b8a2b0e-6d0c-4b0b-9d0b-0d6c5b8a2b0e',
    parameter: '"5b8a2b0e-6d0c-4b0b-9d0b-0d6c5b8a2b0e"',
    head: (name, _value, file) => [
      file ? `Content-Type: ${file.type}` : 'Content-Type: text/plain; charset=utf-8',
      `Content-Disposition: form-data; name=${/^[\w-]+$/.test(name) ? name : `"${name}"`}${
        file ? `; filename=${encoded(file.name)}; filename*=utf-8\'\'${encodeURIComponent(file.name)}` : ''
      }`,
    ],
  },
  // from the source of MultipartRequest, dart-lang/http, in which the content type of a file comes first
  'Dart http': {
    boundary: 'dart-http-boundary-Hk2+wM4Zr5zPzj+M3YcDh8uVbTt0pQvXsLwNaEi9oKgJfRqSd',
    head: (name, value, file) =>
      file ? [`content-type: ${file.type}`, `content-disposition: ${quoted(name, file)}`] : dartText(name, value),
  },
  // from the same source at 31bcb36, which writes the name of a file after its type: the part has no file name
  'Dart http at 31bcb36': {
    boundary: 'dart-http-boundary-Hk2+wM4Zr5zPzj+M3YcDh8uVbTt0pQvXsLwNaEi9oKgJfRqSd',
    head: (name, value, file) =>
      file
        ? [`content-disposition: ${quoted(name)}`, `content-type: ${file.type}; filename="${file.name}"`]
        : dartText(name, value),
  },
  // recorded from email.mime of Python 3.11.7, but for its default encoding, base64, which is rejected
  'email.mime of Python with 8bit': {
    boundary: '===============1234567890123456789==',
    parameter: '"===============1234567890123456789=="',
    head: (name, value, file) => ['MIME-Version: 1.0', ...usual(name, value, file), 'Content-Transfer-Encoding: 8bit'],
  },
}

type Part = readonly [name: string, value: string, file?: { name: string; type: string }]

function write({ boundary, head }: Client, parts: readonly Part[]): Buffer {
  const texts = parts.map(
    ([name, value, file]) => `--${boundary}\r\n${head(name, value, file).join('\r\n')}\r\n\r\n${value}\r\n`,
  )
  return Buffer.from(`${texts.join('')}--${boundary}--\r\n`)
}

type FormResponse = { status: number; errorCode: string | null; body: { given?: unknown; data?: { codes: object } } }

async function post(body: Buffer, type: string): Promise<FormResponse> {
  const response = await fetch(`${origin}/form`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'content-type': type },
  })
  const errorCode = response.headers.get('error-code')
  return { status: response.status, errorCode, body: (await response.json()) as FormResponse['body'] }
}

const sendAs = (client: Client, parts: readonly Part[]): Promise<FormResponse> =>
  post(write(client, parts), `multipart/form-data; boundary=${client.parameter ?? client.boundary}`)

const name: Part = ['name', 'سارة']
const png = { name: 'صورة شخصية.png', type: 'image/png' }
const photo = { bytes: 5, mode: 0o600, begins: 'xxxxx' }

/** What each client sends, and what the form says */
const FORMS: Readonly<Record<string, [parts: Part[], given: object]>> = {
  texts: [[name, ['day', '٧']], { name: 'سارة', day: 7 }],
  'a list of repeated names': [[name, ['languages', '1'], ['languages', '2']], { languages: [1, 2] }],
  'a list in brackets': [[name, ['languages[]', '1'], ['languages[]', '2']], { languages: [1, 2] }],
  'a list in JSON': [[name, ['languages', '[1,2]']], { languages: [1, 2] }],
  'a map in brackets': [[name, ['licenses[12]', 'A'], ['licenses[13]', 'ب']], { licenses: { 12: 'A', 13: 'ب' } }],
  'a map in JSON': [[name, ['licenses', '{"12":"A"}']], { licenses: { 12: 'A' } }],
  'a map as a JSON file': [
    [name, ['licenses', '{"12":"A"}', { name: 'blob', type: 'application/json' }]],
    { licenses: { 12: 'A' } },
  ],
  'a file with an Arabic name': [[name, ['photo', 'xxxxx', png]], { photo }],
  'a file without a name': [[name, ['photo', 'xxxxx']], { photo }],
  'an empty file': [[name, ['photo', '', { name: '', type: 'application/octet-stream' }]], {}],
  'a link in place of a file': [
    [name, ['photo', '/api/v1/files/0199a3c4-5b6d-4e7f-8a9b-0c1d2e3f4a5b?signature=x']],
    {},
  ],
}

for (const [title, client] of Object.entries(CLIENTS))
  void t.test(`parses forms of ${title}`, async (t) => {
    for (const [form, [parts, given]] of Object.entries(FORMS)) {
      const { status, body } = await sendAs(client, parts)
      t.equal(status, 200, form)
      t.same(body.given, { name: 'سارة', ...given }, form)
    }
    t.same(leftovers(), [])
  })

const curl: Client = { boundary: 'b', head: usual }
const withEncoding = (encoding: string): Client => ({
  boundary: 'b',
  head: (...part) => [...usual(...part), `Content-Transfer-Encoding: ${encoding}`],
})

void t.test('accepts a file without a name up to its limit, above the limit of texts', async (t) => {
  const large = 'x'.repeat(1024 * 1024)
  t.match((await sendAs(curl, [name, ['photo', large]])).body.given, { photo: { bytes: large.length } })
  const { body } = await sendAs(curl, [name, ['photo', `${large}x`]])
  t.same(body.data?.codes, { photo: ['file_too_large'] })
})

void t.test('rejects transfer encodings that change the bytes', async (t) => {
  const forms: Part[][] = [[name], [['name', '8J+YgA==']], [name, ['photo', 'xxxxx', png]], [name, ['photo', 'xxxxx']]]
  for (const parts of forms) {
    for (const encoding of ['7bit', '8bit', 'binary', 'BINARY'])
      t.equal((await sendAs(withEncoding(encoding), parts)).status, 200, encoding)
    for (const encoding of ['base64', 'BASE64', 'quoted-printable', 'x-uuencode', 'gzip']) {
      const { status, errorCode } = await sendAs(withEncoding(encoding), parts)
      t.same([status, errorCode], [400, 'transfer_encoding_unsupported'], encoding)
    }
  }
  t.same(leftovers(), [])
})
