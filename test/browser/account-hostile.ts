// Hostile addresses, links and settings of the account pages, and challenges, in Chromium.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { mailsTo } from '../support/accounts/resets.ts'
import { temporaryFolder } from '../support/processes/process.ts'
import { DESKTOP, missing, openAccountPages, PHONE, press } from '../support/servers/account-pages.ts'
import { localServer } from '../support/servers/local-server.ts'
import { PASSWORD } from '../support/service/world.ts'

const TIMEOUT_MS = 300_000
const WIDGET_HOST = 'https://challenges.cloudflare.com/**'
/** What the script of the widget does when a person solves the challenge */
const WIDGET = `window.turnstile = { render(place, { callback }) {
  const button = document.createElement('button'); button.id = 'solve'; button.type = 'button'
  button.onclick = () => callback('the-solution'); place.append(button); return 'id' } }`

t.setTimeout(TIMEOUT_MS)
if (missing) t.plan(0, missing)
else await testHostile()

async function testHostile(): Promise<void> {
  await t.test('?return_to= leads to this origin and to listed ones only', async (t) => {
    const { world, url, open } = await openAccountPages(t, { PAGES_RETURN_ORIGINS: 'https://app.example' })
    const person = await world.person()
    const afterLogin = async (to: string): Promise<string> => {
      const page = await open('en', DESKTOP, `${url}?return_to=${encodeURIComponent(to)}`)
      await page.route('https://app.example/**', (route) => route.fulfill({ body: 'the application' }))
      await page.fill('#email', person.email)
      await page.fill('#password', PASSWORD)
      await Promise.all([page.waitForResponse(/\/auth\/login$/), press(page)])
      await page.waitForSelector('#logout, body:not(:has(#main))')
      const shown = page.url()
      await page.context().close()
      return shown
    }
    t.equal(await afterLogin('/docs/en/?a=b#c'), new URL('/docs/en/?a=b#c', url).href)
    t.equal(await afterLogin('https://app.example/start'), 'https://app.example/start')
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https://evil.example/',
      'https://app.example.evil.example/',
      'https://app.example@evil.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      ' /x',
      `/${'x'.repeat(2000)}`,
    ])
      t.ok((await afterLogin(to)).startsWith(url), to.slice(0, 40))
  })

  await t.test('a link that nobody knows, or that was used, says so', async (t) => {
    const { world, url, open } = await openAccountPages(t)
    for (const fragment of ['#action=erase&token=abc', '#token=', '#constructor', '#__proto__']) {
      const page = await open('en', PHONE, url + fragment)
      t.equal(await page.textContent('h1'), 'Log in', fragment)
    }
    const person = await world.person({ isEmailVerified: false })
    await world.send('requestEmailVerification')({ token: await person.token(), json: {} })
    const [mail] = await mailsTo(world, person.email)
    const [link = ''] = mail?.text.match(/http\S+#\S+/) ?? []
    const [first, second] = [await open('en', DESKTOP, link), await open('en', DESKTOP, link)]
    t.notMatch(first.url(), /token/, 'the token is not in the history')
    await press(first)
    await first.waitForSelector('.notice.good')
    await press(second)
    await second.waitForSelector('.notice')
    t.ok(await second.textContent('.notice'))
  })

  await t.test('names, a theme and a logo of the operator run nothing', async (t) => {
    const folder = temporaryFolder()
    const logo = join(folder, 'logo.svg')
    const script = `<script>fetch('/stolen')</script>`
    writeFileSync(logo, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${script}</svg>`)
    const { url, open } = await openAccountPages(t, { PAGES_LOGO: logo, PAGES_NAME_EN: `</script>${script}` })
    const page = await open('en', DESKTOP)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    t.equal(await page.textContent('.brand'), `</script>${script}`)
    await page.goto(`${url}logo.svg`)
    await page.goto(url)
    await page.waitForSelector('img.logo')
    t.same(
      requested.filter((each) => each.includes('stolen') || !each.startsWith(new URL(url).origin)),
      [],
    )
  })

  await t.test('no other page can frame the pages', async (t) => {
    const { url, browser } = await openAccountPages(t)
    const outer = await localServer(t, (_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<iframe src="${url}"></iframe>`),
    )
    const page = await browser.newPage()
    await page.goto(outer)
    t.equal(await page.frames()[1]?.$('#main'), null)
  })

  await t.test('passkeys of another domain are not offered', async (t) => {
    for (const [domain, buttons] of [
      ['localhost', 2],
      ['example.com', 1],
    ] as const) {
      const { open } = await openAccountPages(t, { WEBAUTHN_RP_ID: domain })
      const page = await open('en', PHONE)
      t.equal(await page.locator('main button').count(), buttons, domain)
    }
  })

  await t.test('a code that needs a challenge is sent after it, in both languages', async (t) => {
    const { open, world } = await openAccountPages(t, { CAPTCHA_WIDGET: 'turnstile', CAPTCHA_SITE_KEY: 'key' })
    const askCode = async (page: Page): Promise<string[]> => {
      const sent: string[] = []
      await page.route('**/auth/check-phone', async (route) => {
        const body = route.request().postData() ?? ''
        sent.push(body.includes('the-solution') ? 'solved' : 'unsolved')
        if (body.includes('the-solution'))
          return route.continue({ postData: body.replace(/,?"challenge_response":"[^"]*"/, '') })
        const data = { status: false, code: 429, message: 'A challenge.', errors: null, data: null }
        return route.fulfill({ status: 429, headers: { 'error-code': 'challenge_required' }, json: data })
      })
      await page.click('a[href="#register"]')
      await page.fill('#phone', world.newPhone())
      await press(page)
      return sent
    }
    for (const language of ['ar', 'en'] as const) {
      const page = await open(language, PHONE)
      await page.route(WIDGET_HOST, (route) => route.fulfill({ contentType: 'text/javascript', body: WIDGET }))
      const sent = await askCode(page)
      await page.click('#solve')
      await page.waitForSelector('#otp')
      t.same(sent, ['unsolved', 'solved'])
    }
    const blocked = await open('en', PHONE)
    await blocked.route(WIDGET_HOST, (route) => route.abort())
    await askCode(blocked)
    t.match(await blocked.textContent('dialog .notice'), /cannot be loaded/)
  })
}
