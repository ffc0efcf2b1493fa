// The account pages: when they are served, what they may load, and what the operator sets of them.
import fastify, { type LightMyRequestResponse } from 'fastify'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/config/index.ts'
import { accountPages } from '../../src/http/endpoints/account-pages.ts'
import { readSite, serveSite } from '../../src/http/endpoints/site.ts'
import { temporaryFolder } from '../support/processes/process.ts'
import { sharedService } from '../support/service/world.ts'

const SCRIPT_BYTES_MAX = 32_000
const files = readSite()
const folder = temporaryFolder()

function fileWith(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Requests a path of a server whose pages the variables set. */
async function pagesWith(variables: Record<string, string>, path = '/account/'): Promise<LightMyRequestResponse> {
  const { pages } = readConfig({ NODE_ENV: 'test', PAGES: 'on', ...variables })
  const server = fastify()
  server.setErrorHandler((_error, _request, reply) => reply.code(404).send())
  serveSite(server, files, { isProduction: true, account: pages ? accountPages(pages, files) : [] })
  return server.inject({ path, headers: { 'accept-encoding': 'gzip' } })
}

function settingsIn({ body }: LightMyRequestResponse): unknown {
  return JSON.parse(/<script type="application\/json" id="settings">([^<]*)<\/script>/.exec(body)?.[1] ?? '')
}

void t.test('one page with one script and one style sheet, which never change', async (t) => {
  const page = await pagesWith({})
  t.equal(page.statusCode, 200)
  const assets = [...page.body.matchAll(/(?:src|href)="([\w.]+)"/g)].map(([, name = '']) => `/account/${name}`)
  t.equal(assets.length, 2)
  for (const path of assets) {
    const asset = await pagesWith({}, path)
    t.equal(asset.statusCode, 200, path)
    t.match(asset.headers['cache-control'], /immutable/)
    t.equal(asset.headers['content-encoding'], 'gzip')
    t.ok(asset.rawPayload.length < SCRIPT_BYTES_MAX, `${path}: ${asset.rawPayload.length} bytes`)
  }
  t.equal((await pagesWith({}, '/account')).headers.location, 'account/')
  t.equal((await pagesWith({}, '/account/unknown')).statusCode, 404)
})

void t.test('without PAGES=on there is no route, except in development', async (t) => {
  const { origin } = await sharedService()
  for (const path of ['/account', '/account/', '/account/index.html'])
    t.equal((await fetch(origin + path, { redirect: 'manual' })).status, 404, path)
  const pagesIn = (variables: Record<string, string>): unknown => readConfig(variables).pages
  t.ok(pagesIn({ NODE_ENV: 'development' }))
  t.notOk(pagesIn({ NODE_ENV: 'development', PAGES: 'off' }))
  t.notOk(pagesIn({ NODE_ENV: 'test' }))
})

void t.test('e-mails link to the pages, unless others are configured', (t) => {
  const mailWith = (variables: Record<string, string>): unknown => readConfig({ NODE_ENV: 'test', ...variables }).mail
  const own = 'https://app.example/reset'
  const pages = 'https://id.example/base/account/'
  t.match(mailWith({}), { resetUrl: undefined, emailUrl: undefined, factorResetUrl: undefined })
  t.match(mailWith({ PAGES: 'on', PUBLIC_URL: 'https://id.example/base/', PASSWORD_RESET_URL: own }), {
    resetUrl: own,
    emailUrl: pages,
    factorResetUrl: pages,
  })
  t.match(mailWith({ PAGES: 'on', PORT: '4000' }), { resetUrl: 'http://localhost:4000/account/' })
  t.throws(() => readConfig({ NODE_ENV: 'production', PAGES: 'on' }), { message: /PUBLIC_URL is not set/ })
  t.throws(() => readConfig({ NODE_ENV: 'test', CAPTCHA_WIDGET: 'turnstile' }), { message: /CAPTCHA_SITE_KEY/ })
  t.throws(() => readConfig({ NODE_ENV: 'test', CAPTCHA_SITE_KEY: 'key' }), { message: /CAPTCHA_WIDGET/ })
  t.end()
})

void t.test('the policy allows this origin only, and the widget of challenges if there is one', async (t) => {
  const policyWith = async (variables: Record<string, string>): Promise<string> =>
    String((await pagesWith(variables)).headers['content-security-policy'])
  t.equal(
    await policyWith({}),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  const turnstile = await policyWith({ CAPTCHA_WIDGET: 'turnstile', CAPTCHA_SITE_KEY: 'key' })
  t.match(turnstile, "script-src 'self' https://challenges.cloudflare.com;")
  t.match(turnstile, '; frame-src https://challenges.cloudflare.com;')
  t.match(turnstile, "connect-src 'self';")
  t.notMatch(turnstile, 'trusted-types')
  const hcaptcha = await policyWith({ CAPTCHA_WIDGET: 'hcaptcha', CAPTCHA_SITE_KEY: 'key' })
  t.match(hcaptcha, "connect-src 'self' https://hcaptcha.com https://*.hcaptcha.com;")
})

void t.test('the pages know where passkeys can be used', async (t) => {
  const originsWith = async (variables: Record<string, string>): Promise<unknown> =>
    (settingsIn(await pagesWith(variables)) as { passkeyOrigins: unknown }).passkeyOrigins
  t.same(await originsWith({}), ['http://localhost:*'])
  t.same(await originsWith({ WEBAUTHN_RP_ID: 'example.com' }), ['https://example.com'])
})

void t.test('names are text, whatever they contain', async (t) => {
  const name = '</script><script>alert(1)</script>$&'
  const page = await pagesWith({ PAGES_NAME_EN: name, PAGES_RETURN_ORIGINS: 'https://app.example' })
  t.match(settingsIn(page), { names: { ar: 'توثيق', en: name }, returnOrigins: ['https://app.example'] })
  t.equal(page.body.match(/<script/g)?.length, 2)
})

void t.test('a theme sets custom properties, and nothing else', async (t) => {
  const theme =
    '/* a { b: c } */ :root { --brand: #123; --font: "IBM Plex", serif }\n@media (width > 1px) { :root { --a: 0 } }'
  const variables = { PAGES_THEME: fileWith('theme.css', theme) }
  t.match((await pagesWith(variables)).body, '<link rel="stylesheet" href="theme.css" /></head>')
  const served = await pagesWith(variables, '/account/theme.css')
  t.same([served.body, served.headers['content-type']], [theme, 'text/css; charset=utf-8'])
  for (const refused of [
    '@import "https://evil.example/x.css";',
    ':root { --a: url(https://evil.example) }',
    ':root { --a: URL(/x) }',
    ':root { --a: image-set("https://evil.example/x.png" 1x) }',
    'body { background: red }',
    ':root { --a: 1; color: red }',
    ':root { --a: "</style>" }',
    String.raw`:root { --a: u\72l(x) }`,
    '@font-face { font-family: x; src: local(x) }',
    ':root { --a: 1 }'.padEnd(33_000),
  ])
    await t.rejects(
      pagesWith({ PAGES_THEME: fileWith('refused.css', refused) }),
      { message: /PAGES_THEME/ },
      refused.trim(),
    )
  await t.rejects(pagesWith({ PAGES_THEME: join(folder, 'none.css') }), { message: /cannot be read \(ENOENT\)/ })
})

void t.test('a logo is an image, and runs no script as a page of its own', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const variables = { PAGES_LOGO: fileWith('logo.svg', svg) }
  t.match(settingsIn(await pagesWith(variables)), { logo: 'logo.svg' })
  const { headers } = await pagesWith(variables, '/account/logo.svg')
  t.equal(headers['content-type'], 'image/svg+xml')
  t.match(headers['content-security-policy'], /^default-src 'none';.* sandbox$/)
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(10)])
  const served = await pagesWith({ PAGES_LOGO: fileWith('logo', png) }, '/account/logo.png')
  t.same([served.statusCode, served.headers['content-type']], [200, 'image/png'])
  for (const refused of ['<html><svg></svg></html>', 'GIF89a', '', svg.padEnd(66_000)])
    await t.rejects(pagesWith({ PAGES_LOGO: fileWith('refused.svg', refused) }), { message: /PAGES_LOGO/ })
})
