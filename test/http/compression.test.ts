// Content encodings of responses that may be cached. Other responses are personal and never compressed.
import t from 'tap'
import { request } from 'undici'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openWorld } from '../support/service/world.ts'

const world = await openWorld()
const { origin } = world.service
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync } as const

type Fetched = { status: number; headers: Record<string, string>; bytes: Buffer }

/** Sends a request without decoding its response. */
async function fetchRaw(path: string, headers: Record<string, string> = {}): Promise<Fetched> {
  const response = await request(origin + path, { headers: { 'accept-language': 'en', ...headers } })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  return { status: response.statusCode, headers: response.headers as Record<string, string>, bytes }
}

for (const path of ['/api/v1/lookups', '/api/v1/lookups/countries', '/api/v1/profile/form?account_type=lawyer']) {
  void t.test(path, async (t) => {
    await fetchRaw(path)
    const plain = await fetchRaw(path)
    t.equal(plain.headers['content-encoding'], undefined, 'clients without Accept-Encoding get the content as it is')
    const tags = new Set([plain.headers['etag']])
    for (const encoding of ['br', 'gzip'] as const) {
      const { headers, bytes } = await fetchRaw(path, { 'accept-encoding': encoding })
      t.equal(headers['content-encoding'], encoding)
      t.match(headers['vary'], /Accept-Language.*Accept-Encoding/)
      t.ok(bytes.length < plain.bytes.length / 2, `${bytes.length} of ${plain.bytes.length} bytes`)
      t.ok(DECODE[encoding](bytes).equals(plain.bytes))
      t.equal(headers['content-length'], String(bytes.length))
      tags.add(headers['etag'])
    }
    t.equal(tags.size, 3, 'each encoding has an entity tag of its own')
    for (const tag of tags) {
      const { status, headers, bytes } = await fetchRaw(path, { 'if-none-match': tag ?? '', 'accept-encoding': 'br' })
      t.same([status, headers['etag'], bytes.length], [304, tag, 0])
    }
    const [last] = [...tags].slice(-1) // that of gzip
    for (const known of ['*', [...tags].join(', ')]) {
      const { status, headers } = await fetchRaw(path, { 'if-none-match': known, 'accept-encoding': 'gzip' })
      t.same([status, headers['etag']], [304, last], 'has the tag of the response that the client would get')
    }
    const refused = await fetchRaw(path, { 'accept-encoding': 'br;q=0, gzip;q=0, *;q=0' })
    t.equal(refused.headers['content-encoding'], undefined)
    t.equal((await fetchRaw(path, { 'accept-encoding': 'gzip, br' })).headers['content-encoding'], 'br')
  })
}

void t.test('many first requests at once get equal contents', async (t) => {
  const path = '/api/v1/lookups/nationalities'
  const all = await Promise.all(Array.from({ length: 20 }, () => fetchRaw(path, { 'accept-encoding': 'br' })))
  const plain = (await fetchRaw(path)).bytes
  for (const { headers, bytes } of all)
    t.ok((headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes).equals(plain))
})

void t.test('search results and personal responses are not compressed', async (t) => {
  const token = await (await world.person()).token()
  const authorization = { authorization: `Bearer ${token}`, 'accept-encoding': 'br, gzip' }
  for (const path of ['/api/v1/profile', '/api/v1/lookups/cities?q=a', '/api/v1/lookups/cities?q=a']) {
    const { status, headers } = await fetchRaw(path, authorization)
    t.equal(status, 200)
    t.equal(headers['content-encoding'], undefined, path)
  }
})
