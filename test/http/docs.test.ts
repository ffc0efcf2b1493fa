// The page of the document: all its resources come from this service, and its policy lets it run.
import { createHash } from 'node:crypto'
import t from 'tap'
import { sharedService } from '../support/service/world.ts'

const { origin } = await sharedService()

void t.test('allows every inline script of the page, and no other', async (t) => {
  const response = await fetch(`${origin}/docs/`)
  const page = await response.text()
  t.equal(response.status, 200)
  const policy = response.headers.get('content-security-policy') ?? ''
  const scripts = [...page.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script = '']) => script)
  const inline = scripts.filter((script) => script !== '')
  t.ok(inline.length > 0)
  for (const script of inline) t.ok(policy.includes(createHash('sha256').update(script).digest('base64')))
  t.notMatch(policy, /script-src[^;]*unsafe/)
  t.notMatch(page, /(?:src|href)=["'](?:https?:)?\/\//, 'no resource is loaded from another origin')
})

void t.test('serves the script and the document', async (t) => {
  for (const [path, type] of Object.entries({
    '/docs/js/scalar.js': /javascript/,
    '/openapi.json': /^application\/json/,
    '/openapi.yaml': /^application\/yaml/,
    '/openapi-3.0.json': /^application\/json/,
  })) {
    const response = await fetch(origin + path)
    t.equal(response.status, 200, path)
    t.match(response.headers.get('content-type'), type)
    t.ok((await response.text()).length > 10_000)
  }
})
