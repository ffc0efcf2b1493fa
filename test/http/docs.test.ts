// The documentation site: guides, the reference, whose content needs no script, and the document, all served by this service.
import fastify from 'fastify'
import { readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { listOperations, listRoutes, type Document } from '../../scripts/generate/document/openapi.ts'
import { GUIDES } from '../../scripts/site/guide-names.ts'
import { tagAnchor } from '../../scripts/site/shell.ts'
import { ACCOUNT, readSite, serveSite, siteFileAt } from '../../src/http/endpoints/site.ts'
import { rawExchange } from '../support/servers/raw.ts'
import { sharedService } from '../support/service/world.ts'

const { origin } = await sharedService()
const site = readSite().filter(({ path }) => !path.startsWith(ACCOUNT))
/** In characters, of which an Arabic letter takes two bytes */
const PAGE_LENGTH_MAX = 30_000
/** In bytes, with gzip */
const PAGE_TRANSFER_MAX = 8000
/** In bytes, with gzip */
const REFERENCE_TRANSFER_MAX = 40_000
const guides = site
  .filter(({ path }) => /^\/docs\/(ar|en)\/(?!reference\/).*html$/.test(path))
  .map(({ path }) => toUrl(path))
const RELEASED = '/docs/reference/released/'
const references = site
  .filter(({ path }) => /^\/docs\/(ar\/)?reference\/.*html$/.test(path))
  .map(({ path }) => toUrl(path))

function toUrl(path: string): string {
  return path.replace(/index\.html$/, '')
}

function textAt(path: string): string {
  return readFileSync(siteFileAt(path), 'utf8')
}

/** Returns where a redirect leads if a proxy has put the service below /auth. */
async function redirectAt(path: string, language: string): Promise<[number, string]> {
  const response = await fetch(origin + path, { redirect: 'manual', headers: { 'accept-language': language } })
  const { pathname } = new URL(response.headers.get('location') ?? '', `http://proxy/auth${path}`)
  return [response.status, pathname]
}

async function encodedAt(path: string, accepted: string): Promise<Response> {
  return fetch(origin + path, { headers: { 'accept-encoding': accepted } })
}

void t.test('guides are small pages whose content needs no script, in both languages', async (t) => {
  t.ok(guides.length >= 28)
  for (const path of guides) {
    const response = await fetch(origin + path)
    const page = await response.text()
    const language = path.split('/')[2] ?? ''
    t.equal(response.status, 200, path)
    if (!path.endsWith('/changelog/')) {
      t.ok(page.length < PAGE_LENGTH_MAX, path)
      t.ok(statSync(siteFileAt(`${path}index.html.gz`)).size < PAGE_TRANSFER_MAX, path)
    }
    t.match(page, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    t.same(
      page.match(/<script[^>]*>/g)?.length,
      2,
      `${path}: the scripts that set the color scheme and enhance the page`,
    )
    t.notMatch(page, /style=|(?:src|stylesheet)[^>]*(?:https?:)?\/\//, path)
    t.notMatch(page, /<(?:input|textarea|form)\b/, path)
  }
})

void t.test('the page of errors has the meaning of each code, in its language', (t) => {
  t.match(textAt('/docs/en/errors/index.html'), 'The service did not issue this access token.')
  t.match(textAt('/docs/ar/errors/index.html'), 'لم تصدر الخدمة رمز الوصول هذا.')
  t.end()
})

void t.test('every link of a page leads to a file of the site and to a heading', (t) => {
  const pages = new Map(site.map(({ path }) => [toUrl(path), path.endsWith('.html') ? textAt(path) : '']))
  for (const [path, page] of pages) {
    for (const [, link = ''] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const { host, pathname, hash } = new URL(link, `http://site${path}`)
      if (host !== 'site') continue
      const target = pages.get(pathname)
      t.ok(target !== undefined, `${path}: ${link}`)
      if (hash !== '') t.ok(target?.includes(`id="${decodeURIComponent(hash.slice(1))}"`), `${path}: ${link}`)
    }
  }
  t.end()
})

void t.test('/docs/ leads to the language of the request', async (t) => {
  t.same(await redirectAt('/docs/', 'en-GB, ar;q=0.5'), [302, '/auth/docs/en/'])
  t.same(await redirectAt('/docs/', 'ar-SA'), [302, '/auth/docs/ar/'])
  t.same(await redirectAt('/docs', 'en'), [302, '/auth/docs/'])
  t.same(await redirectAt('/docs/en/sessions', 'en'), [302, '/auth/docs/en/sessions/'])
  t.match((await fetch(`${origin}/docs/`, { redirect: 'manual' })).headers.get('vary'), /Accept-Language/)
})

void t.test('/ leads to the documentation in development and does not exist in production', async (t) => {
  t.same(await redirectAt('/', 'en'), [302, '/auth/docs/'])
  const production = fastify()
  serveSite(production, site, { isProduction: true, account: [] })
  t.equal((await production.inject('/')).statusCode, 404)
  t.equal((await production.inject('/docs/en/')).statusCode, 200)
})

void t.test('serves the best encoding that the client accepts', async (t) => {
  const script = site.find(({ path }) => path.includes('/site.'))?.path ?? ''
  for (const path of [
    '/openapi.json',
    '/openapi.yaml',
    '/openapi-3.0.json',
    '/docs/reference/',
    '/docs/ar/errors/',
    script,
  ]) {
    const plain = await encodedAt(path, 'identity')
    const bytes = Buffer.from(await plain.arrayBuffer())
    t.equal(plain.headers.get('content-encoding'), null)
    const tags = new Set([plain.headers.get('etag')])
    for (const [accepted, expected] of Object.entries({ 'gzip, deflate, br': 'br', 'gzip;q=0.8': 'gzip' })) {
      const response = await encodedAt(path, accepted)
      t.equal(response.headers.get('content-encoding'), expected, path)
      t.match(response.headers.get('vary'), /Accept-Encoding/)
      t.ok(bytes.equals(Buffer.from(await response.arrayBuffer())), `${path} as ${expected}`)
      tags.add(response.headers.get('etag'))
    }
    t.equal(tags.size, 3, 'each encoding has a tag of its own')
  }
  const { status } = await rawExchange(origin, 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  t.equal(status, 200)
})

void t.test('files with a hash in their names never change, and others are revalidated', async (t) => {
  for (const { path, isHashed } of site.filter(({ path }) => path !== '/docs/index.html')) {
    const { headers } = await fetch(origin + toUrl(path), { method: 'HEAD' })
    t.equal((headers.get('cache-control') ?? '').includes('immutable'), isHashed, path)
    t.ok(headers.get('etag'))
  }
})

void t.test('the policy of the pages allows this service only, and no inline script', async (t) => {
  for (const path of ['/docs/reference/', '/docs/en/']) {
    const response = await fetch(origin + path)
    const policy = response.headers.get('content-security-policy') ?? ''
    t.match(policy, "script-src 'self'; style-src 'self';")
    t.notMatch(policy, /https?:/)
    t.notMatch(await response.text(), /<script(?![^>]*src=)/)
  }
})

void t.test('the first page of the reference leads to every operation, also from earlier links', async (t) => {
  const page = await (await fetch(`${origin}/docs/reference/`)).text()
  for (const { operationId, tags = [] } of listOperations(
    JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document,
  )) {
    const tag = tagAnchor(tags[0] ?? '')
    t.ok(page.includes(`<li id="operation/${operationId}"><a href="${tag}/#${operationId}">`), operationId)
  }
})

void t.test('every link of the document to a guide leads to a page', (t) => {
  const links = [...readFileSync('generated/openapi.json', 'utf8').matchAll(/\]\((\/docs\/[^)]*)\)/g)]
  t.ok(links.length > 5)
  for (const [, link = ''] of links) t.ok(guides.includes(link), link)
  t.end()
})

void t.test('each edition of the reference has every operation, webhook and schema once', (t) => {
  for (const [folder, file] of Object.entries({
    '/docs/reference/': 'generated/openapi.json',
    '/docs/ar/reference/': 'generated/openapi.json',
    [RELEASED]: 'openapi/released/v1.json',
  })) {
    const own = references.filter(
      (path) => path.startsWith(folder) && (folder === RELEASED || !path.startsWith(RELEASED)),
    )
    const html = own.map((path) => textAt(`${path}index.html`)).join('')
    const { components, webhooks, ...document } = JSON.parse(readFileSync(file, 'utf8')) as Document
    const ids = listOperations({ components, webhooks, ...document }).map(({ operationId }) => operationId)
    for (const id of [...ids, ...Object.keys(components.schemas).map((name) => `schema-${name}`)])
      t.equal(html.split(`<section id="${id}"`).length, 2, `${folder}: ${id}`)
    for (const name of Object.keys(webhooks)) t.ok(html.includes(`<code dir="ltr">${name}</code>`), name)
  }
  t.end()
})

/** What a reader finds on a page, without its texts */
const FEATURES = {
  operations: /<section id="\w+"/g,
  'forms that send a request': / data-try="/g,
  samples: /data-tab="\w+"/g,
  examples: /<details class="example">/g,
  'rows of fields, errors and limits': /<tr>/g,
  'links of the menu': /<li><a href="[^"]*#\w+">/g,
}

void t.test('the Arabic reference has what the English one has, and each page is small', (t) => {
  const english = references.filter((path) => path.startsWith('/docs/reference/') && !path.startsWith(RELEASED))
  t.ok(english.length > 10)
  for (const path of english) {
    const arabicPath = path.replace('/docs/', '/docs/ar/')
    const [page, arabic] = [path, arabicPath].map((each) => textAt(`${each}index.html`))
    for (const [name, pattern] of Object.entries(FEATURES))
      t.equal(arabic?.match(pattern)?.length, page?.match(pattern)?.length, `${path}: ${name}`)
    for (const each of [path, arabicPath])
      t.ok(statSync(siteFileAt(`${each}index.html.gz`)).size < REFERENCE_TRANSFER_MAX, each)
  }
  t.end()
})

void t.test('each operation has samples, and examples of its request and its success', (t) => {
  const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
  const ofProviders = new Set(['receiveSmsReceipt', 'receiveKeyPress'])
  const withoutJson = new Set(['getFile', 'exportAccount', 'receiveKeyPress'])
  for (const route of listRoutes(document)) {
    const { operationId, tags = [], requestBody } = route.operation
    const tag = tagAnchor(tags[0] ?? '')
    const page = textAt(`/docs/reference/${tag}/index.html`)
    const section = page.slice(page.indexOf(`<section id="${operationId}"`)).split('</section>\n<section id=')[0] ?? ''
    const labels = [...section.matchAll(/data-tab="(\w+)"/g)].map(([, label]) => label)
    const expected = ofProviders.has(operationId)
      ? ['curl', 'Python', 'Kotlin']
      : ['SDK', 'curl', 'React', 'Python', 'Kotlin']
    t.same(labels, expected, operationId)
    if (requestBody) t.match(section, 'Example of a request', operationId)
    if (!withoutJson.has(operationId)) t.match(section, /Example of a response (200|201|202|204)/, operationId)
  }
  t.end()
})

void t.test('the Arabic reference is in Arabic, and pages lead to the reference in their language', async (t) => {
  const html = await (await fetch(`${origin}/docs/ar/reference/sessions/`)).text()
  t.match(html, /<section id="logout"[^>]*><h2>تسجيل الخروج<\/h2>/)
  t.match(await (await fetch(`${origin}/docs/ar/reference/`)).text(), /<h2 id="rate-limits">حدود الاستخدام<\/h2>/)
  t.match(html, 'href="../../../reference/sessions/" lang="en"')
  for (const [path, link] of Object.entries({
    '/docs/reference/': '../ar/reference/',
    '/docs/reference/sessions/': '../../ar/reference/sessions/',
    '/docs/ar/sessions/': '../reference/sessions/#refreshToken',
    '/docs/en/sessions/': '../../reference/sessions/#refreshToken',
  }))
    t.ok((await (await fetch(origin + path)).text()).includes(`href="${link}"`), `${path}: ${link}`)
})

void t.test('the search index leads to sections of the guides and to every operation', (t) => {
  const targets = new Set(site.map(({ path }) => toUrl(path)))
  const operations = listOperations(JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document)
  for (const language of ['en', 'ar']) {
    const file = site.find(({ path }) => path.includes(`/search-${language}.`))?.path ?? ''
    const entries = JSON.parse(textAt(file)) as { title: string; url: string }[]
    const urls = entries.map(({ url }) => new URL(url, 'http://site/'))
    t.ok(urls.every(({ pathname }) => targets.has(pathname)))
    for (const path of guides.filter(
      (path) => path.startsWith(`/docs/${language}/`) && !/changelog|not-found/.test(path),
    ))
      t.ok(
        urls.some(({ pathname }) => pathname === path),
        path,
      )
    for (const { operationId } of operations)
      t.ok(
        urls.some(({ hash }) => hash === `#${operationId}`),
        operationId,
      )
  }
  t.end()
})

void t.test('llms.txt lists the English guides, which are served as Markdown', async (t) => {
  const text = await (await fetch(`${origin}/llms.txt`)).text()
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  t.ok(links.length >= 15)
  for (const link of links) {
    const response = await fetch(origin + link)
    t.equal(response.status, 200, link)
    if (link.endsWith('.md')) t.match(await response.text(), /^# /, link)
  }
})

void t.test('the feed has an entry for each release of the changelog', async (t) => {
  const response = await fetch(`${origin}/docs/changelog.xml`)
  t.match(response.headers.get('content-type'), 'application/atom+xml')
  const versions = [...(await response.text()).matchAll(/<title>Tawthiq (.*)<\/title>/g)].map(([, version]) => version)
  const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\S+) - /gm)].map(([, version]) => version)
  t.ok(released.length > 0)
  t.same(versions, released)
})

void t.test('pages state their own language, whatever the request prefers', async (t) => {
  const languageOf = async (path: string): Promise<string | null> =>
    (await fetch(origin + path, { headers: { 'accept-language': 'ar' } })).headers.get('content-language')
  t.same(await Promise.all(['/docs/en/', '/docs/ar/', '/docs/reference/', '/openapi.json'].map(languageOf)), [
    'en',
    'ar',
    'en',
    null,
  ])
})

void t.test(
  'browsers get a page for unknown addresses, in their language or that of the path, and others JSON',
  async (t) => {
    const get = async (path: string, language: string, accept = 'text/html,*/*;q=0.8'): Promise<Response> =>
      fetch(origin + path, { headers: { accept, 'accept-language': language } })
    for (const [path, language, expected] of [
      ['/docs/nothing', 'ar', 'ar'],
      ['/docs/nothing/at/all', 'en', 'en'],
      ['/docs/en/nothing', 'ar', 'en'],
      ['/docs/ar/a/b/', 'en', 'ar'],
    ] as const) {
      const response = await get(path, language)
      const page = await response.text()
      t.equal(response.status, 404, path)
      t.equal(response.headers.get('content-language'), expected)
      t.match(response.headers.get('content-type'), 'text/html')
      t.match(page, `<html lang="${expected}"`)
      for (const [, link = ''] of page.matchAll(/(?:href|src)="([^"#]+)"/g)) t.match(link, /^\//, 'right at any depth')
    }
    const { status, headers } = await get('/docs/nothing', 'ar', 'application/json')
    t.same([status, headers.get('error-code')], [404, 'route_unknown'])
    t.match(headers.get('content-type'), 'application/json')
    t.match((await get('/nothing', 'ar')).headers.get('content-type'), 'application/json')
  },
)

void t.test('the search index has each error code, which leads to its row', (t) => {
  const { components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
  for (const language of ['en', 'ar']) {
    const file = site.find(({ path }) => path.includes(`/search-${language}.`))?.path ?? ''
    const entries = JSON.parse(textAt(file)) as { name?: string; url: string }[]
    const page = textAt(`/docs/${language}/errors/index.html`)
    for (const code of components.schemas['ErrorCode']?.enum ?? []) {
      const url = entries.find(({ name }) => name === code)?.url ?? ''
      t.ok(url.endsWith(`/errors/#${code}`) && page.includes(`id="${code}"`), `${language}: ${code}`)
    }
  }
  t.end()
})

void t.test('the menu has each guide once, in a group', (t) => {
  for (const language of ['en', 'ar']) {
    const page = textAt(`/docs/${language}/index.html`)
    const menu = page.slice(page.indexOf('<nav class="menu"'))
    t.ok((menu.match(/<h3>/g)?.length ?? 0) >= 4)
    const links = [...menu.matchAll(/<li><a href="([^"]+)"/g)].map(([, link]) => link)
    t.equal(links.length, GUIDES.length)
    t.equal(new Set(links).size, GUIDES.length)
  }
  t.end()
})
