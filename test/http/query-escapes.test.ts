// Percent-encoding in query strings.
import t from 'tap'
import { rawExchange } from '../support/servers/raw.ts'
import { sharedService } from '../support/service/world.ts'

const { origin } = await sharedService()

async function search(
  query: string,
  start = '?',
): Promise<{ status: number; found: number; code: string | undefined }> {
  const path = `/api/v1/lookups/languages${start}${query}`
  const { status, headers, body } = await rawExchange(
    origin,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Language: ar\r\n\r\n`,
  )
  const { items = [] } = (body.data ?? {}) as { items?: unknown[] }
  return { status, found: items.length, code: headers['error-code'] }
}

const INVALID: Record<string, string> = {
  'an escape without digits': 'q=%',
  'an escape with other characters': 'q=%zz',
  'an escape that ends too early': 'q=a%4',
  'a text in Windows-1256': 'q=%C7%E1%DA',
  'an unpaired surrogate': 'q=%ED%A0%80',
  'the name of a parameter': '%C3=a',
}

for (const [title, query] of Object.entries(INVALID)) {
  void t.test(`rejects invalid percent-encoding: ${title}`, async (t) => {
    for (const start of ['?', '#'])
      t.match(await search(query, start), { status: 400, code: 'malformed_request' }, start)
  })
}

void t.test('finds texts in any valid percent-encoding', async (t) => {
  const arabic = encodeURIComponent('العربية')
  const { status, found } = await search(`q=${arabic}`)
  t.equal(status, 200)
  t.ok(found > 0)
  t.same(await search(`q=${arabic.toLowerCase()}`), { status, found, code: undefined })
  t.same(await search(`%71=${arabic}`), { status, found, code: undefined })
  t.match(await search('q=%25'), { status: 200, found: 0 })
  t.match(await search('q=+%20'), { status: 200 })
})
