// The document for people: all that its page needs comes from this service, and its policy lets it run.
import { createHash } from 'node:crypto'
import t from 'tap'
import { sharedService } from '../support/world.ts'

const { origin } = await sharedService()

void t.test('the policy names every script that stands in the page', async (t) => {
  const response = await fetch(`${origin}/docs/`)
  const page = await response.text()
  t.equal(response.status, 200)
  const policy = response.headers.get('content-security-policy') ?? ''
  const scripts = [...page.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script = '']) => script)
  const inline = scripts.filter((script) => script !== '')
  t.ok(inline.length > 0)
  for (const script of inline) t.ok(policy.includes(createHash('sha256').update(script).digest('base64')))
  t.notMatch(policy, /script-src[^;]*unsafe/)
  t.notMatch(page, /(?:src|href)=["'](?:https?:)?\/\//, 'nothing comes from elsewhere')
})

void t.test('the script and the document are served', async (t) => {
  for (const [path, type] of Object.entries({
    '/docs/js/scalar.js': /javascript/,
    '/openapi.json': /^application\/json/,
    '/openapi.yaml': /^application\/yaml/,
  })) {
    const response = await fetch(origin + path)
    t.equal(response.status, 200, path)
    t.match(response.headers.get('content-type'), type)
    t.ok((await response.text()).length > 10_000)
  }
})
