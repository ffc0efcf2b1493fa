// Conditional requests: a client that already has a response gets 304 (RFC 9110, 13.1.2).
import t from 'tap'
import { sharedService } from '../support/service/world.ts'
import { rawExchange } from '../support/servers/raw.ts'

const { origin } = await sharedService()
const PATHS = ['/api/v1/lookups/degrees', '/api/v1/auth/jwks', '/docs/en/', '/openapi.json']

const etagAt = async (path: string): Promise<string> => (await fetch(origin + path)).headers.get('etag') ?? ''

for (const path of PATHS) {
  void t.test(`${path}: returns 304 to Node's fetch, which adds Cache-Control: no-cache`, async (t) => {
    const response = await fetch(origin + path, { headers: { 'if-none-match': await etagAt(path) } })
    t.equal(response.status, 304)
    t.equal(await response.text(), '')
  })
}

for (const path of PATHS) {
  void t.test(`${path}: HEAD has the length of the content, and none with 304`, async (t) => {
    const lengthOf = async (headers: Record<string, string>): Promise<[number, string | null]> => {
      const response = await fetch(origin + path, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'identity', ...headers },
      })
      return [response.status, response.headers.get('content-length')]
    }
    const { byteLength } = await (
      await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } })
    ).arrayBuffer()
    t.same(await lengthOf({}), [200, String(byteLength)])
    t.same(await lengthOf({ 'if-none-match': await etagAt(path) }), [304, null])
  })
}

const matching: Record<string, (etag: string) => string> = {
  'the tag': (etag) => etag,
  'the tag as a weak one': (etag) => `W/${etag}`,
  'a list': (etag) => `"a", W/"b",${etag} , "c"`,
  'a list with tabs': (etag) => `"a"\t,\t${etag}\t, "c"`,
  'any tag': () => '*',
}
const others: Record<string, (etag: string) => string> = {
  'another tag': () => '"another"',
  'a list of other tags': () => '"a", W/"b"',
  'the tag without quotes': (etag) => etag.slice(1, -1),
  'a tag that begins the same': (etag) => `${etag.slice(0, -2)}"`,
  nothing: () => '',
}

async function statusFor(ifNoneMatch: string, more = ''): Promise<number> {
  const head = `GET ${PATHS[0] ?? ''} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
  return (await rawExchange(origin, `${head}If-None-Match: ${ifNoneMatch}\r\n${more}\r\n`)).status
}

for (const [title, valueOf] of Object.entries(matching)) {
  void t.test(`returns 304 for ${title}, whatever other caching headers the request has`, async (t) => {
    const value = valueOf(await etagAt('/api/v1/lookups/degrees'))
    t.equal(await statusFor(value), 304)
    t.equal(await statusFor(value, 'Cache-Control: no-cache\r\nPragma: no-cache\r\n'), 304)
    t.equal(await statusFor(value, 'If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT\r\n'), 304)
  })
}

for (const [title, valueOf] of Object.entries(others)) {
  void t.test(`returns the whole response for ${title}`, async (t) => {
    t.equal(await statusFor(valueOf(await etagAt('/api/v1/lookups/degrees'))), 200)
  })
}

void t.test('ignores If-Modified-Since, because responses have no date', async (t) => {
  const headers = { 'if-modified-since': new Date().toUTCString() }
  t.equal((await fetch(`${origin}/api/v1/lookups/degrees`, { headers })).status, 200)
})
