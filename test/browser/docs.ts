// The documentation site in a real browser: accessible in both languages and both color schemes, and its search, tabs and
// buttons work with the keyboard alone. With --sample, only some of the pages are checked.
import type { Page } from 'playwright-core'
import t from 'tap'
import { readSite } from '../../src/http/endpoints/site.ts'
import { browserPath, openBrowser, violationsOf } from '../support/servers/browser.ts'
import { PNG } from '../support/accounts/profile-forms.ts'
import { openService } from '../support/service/service.ts'
import { openWorld, PASSWORD } from '../support/service/world.ts'

const WIDE = 1440
const SCREENS = [
  { colorScheme: 'light', width: WIDE },
  { colorScheme: 'dark', width: 390 },
] as const
/** Pages of a quarter of a megabyte, which take axe long. They are checked without contrasts, except for one: the colors are those of the guides. */
const LARGE = /^\/docs\/(?:ar\/)?reference\/(?!sessions)\w/
/** Lays out sections that are outside of the screen */
const WHOLE_PAGE = `document.querySelectorAll('main > section').forEach((each) => (each.style.contentVisibility = 'visible'))`
const LARGE_RULES = `{ rules: { 'color-contrast': { enabled: false } } }`

/** In each language the first page, one with long samples and one with tables */
const SAMPLE = /^\/docs\/((en|ar)\/(profile-forms\/|rate-limits\/)?|(ar\/)?reference\/sessions\/)$/

const GUIDES = /^\/docs\/(en|ar)\/(?!changelog|reference)/
/** The number of samples whose first line is below the button that copies them */
const COVERED = `[...document.querySelectorAll('.code')].filter((frame) => {
  const [line, button] = ['code', '.copy'].map((each) => frame.querySelector(each).getBoundingClientRect())
  return line.height > 0 && button.bottom > line.top
}).length`
/** The number of samples that are wider than their column */
const CUT = `[...document.querySelectorAll('pre')].filter((block) => block.scrollWidth > block.clientWidth).length`

const options = { skip: browserPath ? false : 'there is no Chromium here' }
const service = await openService()
const browser = browserPath ? await openBrowser() : undefined
t.setTimeout(600_000)
t.teardown(async () => {
  await browser?.close()
  await service.close()
})
/** What our pages write to the console */
const messages: string[] = []
const pages = readSite()
  .filter(({ path }) => path.startsWith('/docs/') && path.endsWith('.html') && path !== '/docs/index.html')
  .map(({ path }) => path.replace(/index\.html$/, ''))
  .filter((path) => !process.argv.includes('--sample') || SAMPLE.test(path))

async function openPage(colorScheme: 'light' | 'dark', width = WIDE): Promise<Page> {
  if (!browser) throw new Error('there is no browser')
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ colorScheme, permissions, viewport: { width, height: 900 } })
  const page = await context.newPage()
  const note = (text: string): void => {
    messages.push(`${page.url()}: ${text}`)
  }
  // a response of 4xx is one that a test asks for
  page.on('console', (message) => message.text().includes('status of 4') || note(message.text()))
  page.on('pageerror', (error) => note(String(error)))
  return page
}

function violationsAt(page: Page): Promise<string[]> {
  return violationsOf(page, LARGE.test(new URL(page.url()).pathname) ? LARGE_RULES : '')
}

for (const { colorScheme, width } of SCREENS) {
  void t.test(
    `pages are accessible and no wider than the screen: ${colorScheme}, ${width} pixels`,
    options,
    async (t) => {
      const page = await openPage(colorScheme, width)
      for (const path of pages) {
        await page.goto(service.origin + path)
        await page.evaluate(WHOLE_PAGE)
        t.same(await violationsAt(page), [], path)
        const overflow: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        t.ok(overflow <= 0, `${path} is ${overflow} pixels too wide`)
        t.equal(await page.evaluate(COVERED), 0, `${path}: buttons above samples`)
        if (width === WIDE && GUIDES.test(path)) t.equal(await page.evaluate(CUT), 0, `${path}: whole samples`)
      }
    },
  )
}

void t.test(
  'the keyboard opens the search, finds a section in Arabic however it is spelt, and goes there',
  options,
  async (t) => {
    const page = await openPage('light')
    for (const [language, text, expected] of [
      ['en', 'refresh an access', 'Refresh an access token'],
      ['en', 'adminSuspendUser', 'Suspend a user'],
      ['en', 'token_expired', 'token_expired'],
      ['ar', 'token_expired', 'token_expired'],
      ['en', 'phone_taken', 'phone_taken'],
      ['ar', 'refreshToken', 'تجديد الرموز'],
      ['ar', 'تجديد رمز الوصول', 'تجديد رمز الوصول'],
      ['ar', 'ايقاف مستخدم', 'إيقاف مستخدم'],
      ['ar', 'اخطَاء', 'الأخطاء'],
    ] as const) {
      await page.goto(`${service.origin}/docs/${language}/`)
      await page.keyboard.press('/')
      await page.locator('dialog input').fill(text)
      const first = page.locator('dialog li a').first()
      await first.waitFor()
      t.ok((await first.innerText()).includes(expected), `${text}: ${await first.innerText()}`)
      t.same(await violationsAt(page), [], 'the dialog is accessible')
      const href = await first.getAttribute('href')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => !url.pathname.endsWith(`/${language}/`))
      t.ok(href?.includes(new URL(page.url()).pathname))
    }
  },
)

void t.test('the search shows the words around what it finds', options, async (t) => {
  const page = await openPage('light')
  await page.goto(`${service.origin}/docs/en/`)
  await page.keyboard.press('/')
  await page.locator('dialog input').fill('idempotency')
  const excerpts = await page.locator('dialog li span').allInnerTexts()
  t.ok(excerpts.length > 1)
  t.match(excerpts.join(' '), /idempoten/i)
})

void t.test('the theme applies at once and to later pages, before they are drawn', options, async (t) => {
  const page = await openPage('light')
  const scheme = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
  for (const language of ['en', 'ar']) {
    await page.goto(`${service.origin}/docs/${language}/`)
    await page.locator('.theme').selectOption('')
    const light = await scheme()
    await page.locator('.theme').selectOption('dark')
    const dark = await scheme()
    t.not(dark, light)
    await page.goto(`${service.origin}/docs/${language}/errors/`, { waitUntil: 'commit' })
    await page.waitForSelector('h1', { state: 'attached' })
    t.equal(await scheme(), dark)
    t.equal(await page.locator('.theme').inputValue(), 'dark')
    await page.locator('.theme').selectOption('light')
    t.equal(await scheme(), light)
  }
})

void t.test('a code block is copied', options, async (t) => {
  const page = await openPage('light')
  await page.goto(`${service.origin}/docs/en/quick-start/`)
  await page.locator('.copy').first().click()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), 'npm ci && npm start\n')
})

void t.test('the arrow keys choose a tab, for all samples and later pages', options, async (t) => {
  const page = await openPage('light')
  await page.goto(`${service.origin}/docs/reference/authentication/`)
  const shown = async (): Promise<string[]> => {
    return page.evaluate(
      `[...new Set([...document.querySelectorAll('[data-tab]:not([hidden])')].map((panel) => panel.dataset.tab))]`,
    )
  }
  t.same(await shown(), ['SDK'])
  await page.locator('#login [role=tab][aria-selected=true]').focus()
  await page.keyboard.press('ArrowRight')
  t.same(await shown(), ['curl'])
  await page.reload()
  t.same(await shown(), ['curl'])
})

void t.test('without scripts, all samples are visible', options, async (t) => {
  if (!browser) return
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${service.origin}/docs/reference/authentication/#login`)
  for (const label of ['SDK', 'curl', 'React', 'Python', 'Kotlin'])
    t.ok(await page.locator(`#login [data-tab=${label}] pre`).isVisible(), label)
})

void t.test('requests are sent from the reference in both languages, with the token of a login', options, async (t) => {
  const { email } = await (await openWorld(service)).person()
  for (const [folder, word] of [
    ['/docs/reference/', 'Access token'],
    ['/docs/ar/reference/', 'رمز الوصول'],
  ] as const) {
    const page = await openPage('light')
    const send = async (id: string): Promise<string> => {
      await page.locator(`#${id} .try button`).click()
      return page.locator(`#${id} .try pre`).innerText()
    }
    await page.goto(`${service.origin}${folder}#operation/login`)
    await page.waitForURL('**/authentication/#login')
    await page.locator('#login .attempt').click()
    const body = page.locator('#login textarea')
    t.match(JSON.parse(await body.inputValue()), { email: 'client@demo.test' }, 'the example of the request')
    await body.fill(JSON.stringify({ email, password: PASSWORD }))
    t.match(await send('login'), /^200 /)
    await page.goto(`${service.origin}${folder}profile/`)
    await page.locator('#getProfile .attempt').click()
    t.ok(await page.getByLabel(word).inputValue(), 'the pages of a tab share the token')
    t.match(await send('getProfile'), email)
    t.same(await violationsAt(page), [])

    await page.locator('#updateProfile .attempt').click()
    const photo = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
    await page.getByLabel('profile_photo').setInputFiles(photo)
    t.match(await send('updateProfile'), /^422 [^]*otp/, 'a form with a file, of which only the code is missing')
  }
})

void t.test('no page writes to the console', options, (t) => {
  t.same(messages, [])
  t.end()
})
