// examples/react in Chromium against a real service. Run by `npm test` in examples/react. EXAMPLE runs a copy in another folder.
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { PNG } from '../support/accounts/profile-forms.ts'
import { mailsTo } from '../support/accounts/resets.ts'
import { codeAt, protectedPerson } from '../support/accounts/second-factors.ts'
import { addAuthenticator } from '../support/servers/virtual-authenticator.ts'
import { codeFor, delayRequests, missingFor, openVitePage } from '../support/servers/vite-page.ts'
import { PASSWORD } from '../support/service/world.ts'

const EXAMPLE = process.env['EXAMPLE'] ?? 'examples/react'
const NEW_PASSWORD = 'another good phrase'
const MINUTE_MS = 60_000
/** Longer than the period of recent authentication, shorter than the validity of an access token */
const WAIT_MS = 16 * MINUTE_MS
/** A browser on a busy machine is slow. */
const TIMEOUT_MS = 300_000
const ARABIC = /[ء-ي]/

const missing = missingFor(EXAMPLE)
t.setTimeout(TIMEOUT_MS)
if (missing !== undefined) t.plan(0, missing)
else await testExample()

async function testExample(): Promise<void> {
  const { origin, world, browser } = await openVitePage(t, EXAMPLE)
  const openContext = (): Promise<BrowserContext> => browser.newContext({ acceptDownloads: true, locale: 'ar' })
  const open = async (context: BrowserContext, hash = ''): Promise<Page> => {
    const page = await context.newPage()
    await delayRequests(page)
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => t.fail(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) t.fail(message.text())
    })
    await page.goto(`${origin}/${hash}`)
    await page.waitForSelector('main h1')
    return page
  }
  const press = (page: Page): Promise<void> => page.click('main form button:not([type=button])')
  const errorAt = (page: Page, name: string): Promise<string | null> =>
    page.textContent(`[data-field="${name}"] [role=alert]`)
  const mailed = async (address: string, pattern: RegExp): Promise<string> => {
    const [mail] = await mailsTo(world, address)
    return pattern.exec(mail?.text ?? '')?.[0] ?? ''
  }
  const email = 'sara@example.org'

  await t.test('a client registers with a code and completes the profile in Arabic', async (t) => {
    const context = await openContext()
    const page = await open(context, '#register')
    const phone = world.newPhone()
    const updates: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') updates.push(request.url())
    })
    await page.fill('#phone', phone)
    await press(page)
    await page.fill('#otp', await codeFor(world, page, phone))
    await press(page)
    await page.fill('#name', 'سارة العتيبي')
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await press(page)
    await page.waitForSelector('#gender')
    const other = await open(context)
    t.equal(await other.textContent('#user'), email, 'tabs share the session')

    await page.bringToFront()
    await press(page)
    for (const name of ['gender', 'city_id', 'latitude']) t.match(await errorAt(page, name), ARABIC)
    await page.setInputFiles('#profile_photo', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await press(page)
    t.match(await errorAt(page, 'profile_photo'), ARABIC)
    t.same(updates, [], 'invalid forms are not sent')

    const photo = { name: 'صورة.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
    await page.setInputFiles('#profile_photo', photo)
    for (const [name, value] of Object.entries({ gender: 'Female', nationality_id: '682', type: '1' }))
      await page.selectOption(`#${name}`, value)
    for (const [name, value] of Object.entries({ country_id: '682', region_id: '1', city_id: '1' })) {
      await page.waitForSelector(`#${name} option[value="${value}"]`, { state: 'attached' })
      await page.selectOption(`#${name}`, value)
    }
    await page.selectOption('#region_id', '2')
    t.equal(await page.inputValue('#city_id'), '', 'the city of another region is cleared')
    await page.selectOption('#region_id', '1')
    await page.waitForSelector('#city_id option[value="1"]', { state: 'attached' })
    await page.selectOption('#city_id', '1')
    await page.fill('#longitude', '٤٦٫٦٧')
    await page.fill('#latitude', '24.7136')
    const { email: taken } = await world.person()
    await page.fill('#email', taken)
    await press(page)
    t.match(await errorAt(page, 'email'), ARABIC, 'an error that only the service knows')
    await page.fill('#email', email)
    await press(page)
    await page.waitForSelector('main [role=status]')
    t.equal(updates.length, 2)
    t.ok(await page.getAttribute('[data-field=profile_photo] a', 'href'))

    await other.bringToFront()
    await other.click('#logout')
    await page.waitForSelector('#user', { state: 'detached' })
  })

  await t.test('a user with an address that was never verified sets a new password with a code', async (t) => {
    const page = await open(await openContext(), '#forgot')
    world.wait(2 * MINUTE_MS)
    await page.fill('#email', email)
    await press(page)
    await page.waitForSelector('main [role=status]')
    const token = await mailed(email, /^[\w-]{43}$/m)
    await page.goto(`${origin}/#token=${token}`)
    await page.fill('#password', NEW_PASSWORD)
    await press(page)
    await page.waitForSelector('#otp')
    t.match(await errorAt(page, 'otp'), ARABIC)
    const { phone } = await world.service.database.prisma.account.findUniqueOrThrow({ where: { email } })
    await page.fill('#otp', await codeFor(world, page, `0${phone.slice(4)}`, 2))
    await press(page)
    await page.click('main [role=status] a')
    await logIn(page, email, NEW_PASSWORD)
  })

  await t.test('a user changes the e-mail address after a new confirmation of the password', async (t) => {
    const person = await world.person()
    const context = await openContext()
    const page = await open(context)
    await logIn(page, person.email, PASSWORD)
    world.wait(WAIT_MS)
    await page.click('a[href="#account"]')
    await page.fill('#email', 'changed@example.org')
    await press(page)
    await page.fill('dialog #password', 'not-the-password')
    await page.click('dialog button:not([type=button])')
    await page.waitForSelector('dialog [role=alert]')
    t.match(await page.textContent('dialog [role=alert]'), ARABIC)
    await page.fill('dialog #password', PASSWORD)
    await page.click('dialog button:not([type=button])')
    await page.waitForSelector('#code')
    t.equal(await page.locator('dialog').count(), 0)
    await page.fill('#code', await mailed('changed@example.org', /\b\d{6}\b/))
    await press(page)
    await page.waitForFunction(`document.querySelector('main p')?.textContent === 'changed@example.org'`)
    t.equal(await page.textContent('#user'), 'changed@example.org')
    await page.reload()
    t.equal(await page.textContent('#user'), 'changed@example.org', 'the session is stored with the new address')

    world.wait(WAIT_MS)
    await page.click('#export')
    await page.waitForSelector('dialog')
    const other = await open(context)
    await other.click('#logout')
    await page.waitForFunction(`!document.querySelector('dialog')`)
    t.ok(await page.isVisible('#email'), 'a logout in another tab ends the question')
  })

  await t.test(
    'a user who dismisses the dialog of passkeys reads why in Arabic, and logs in with the password',
    async (t) => {
      const person = await world.person()
      const context = await openContext()
      await context.addInitScript(
        `navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
      )
      const page = await open(context)
      for (let times = 0; times < 3; times++) {
        await page.click('#passkey')
        await page.waitForSelector('main > [role=alert]')
        t.match(await page.textContent('main > [role=alert]'), ARABIC)
      }
      await logIn(page, person.email, PASSWORD)

      world.wait(WAIT_MS)
      await page.click('a[href="#account"]')
      await page.click('#export')
      await page.click('dialog form button[type=button] >> nth=0')
      await page.waitForSelector('dialog form > [role=alert]')
      t.match(await page.textContent('dialog form > [role=alert]'), ARABIC)
    },
  )

  await t.test('a user with an authenticator app confirms a login and a change with its codes', async (t) => {
    const { person, nextCode } = await protectedPerson(world)
    const page = await open(await openContext())
    await page.fill('#email', person.email)
    await page.fill('#password', PASSWORD)
    await press(page)
    await page.fill('#factor-code', 'AAAA')
    await press(page)
    await page.waitForFunction(`document.querySelector('main form > [role=alert]')?.textContent.includes('غير صحيح')`)
    await page.fill('#factor-code', nextCode())
    await press(page)
    await page.waitForSelector('#logout')

    world.wait(WAIT_MS)
    await page.click('a[href="#account"]')
    await page.click('#export')
    const confirm = (): Promise<void> => page.click('dialog button:not([type=button])')
    await page.fill('dialog #password', PASSWORD)
    await confirm()
    await page.fill('dialog #factor-code', nextCode())
    const [download] = await Promise.all([page.waitForEvent('download'), confirm()])
    t.match(download.suggestedFilename(), /^tawthiq-account-\d+\.zip$/)
  })

  await t.test('a user adds and removes an app and a passkey, with the password as proof', async (t) => {
    const person = await world.person()
    const page = await open(await openContext())
    await addAuthenticator(page)
    await logIn(page, person.email, PASSWORD)
    await page.click('a[href="#factors"]')
    const change = async (summary: string, name?: string): Promise<void> => {
      await page.click(`summary:has-text("${summary}")`)
      if (name !== undefined) await page.fill('details[open] input[name=name]', name)
      await page.fill('details[open] input[type=password]', PASSWORD)
      await page.click('details[open] form button:not([type=button])')
    }
    await change('إضافة تطبيق مصادقة')
    const secret = await page.innerText('#secret')
    await page.fill('#code', codeAt(secret, world.service.clock.nowMs()))
    await press(page)
    t.equal((await page.innerText('#recovery-codes')).split('\n').length, 10)
    await page.click('main > button')
    await page.waitForSelector('summary:has-text("إزالة تطبيق المصادقة")')

    await page.click('summary:has-text("إضافة مفتاح مرور")')
    await page.fill('details[open] input[type=password]', 'not-the-password')
    await page.click('details[open] form button:not([type=button])')
    t.match(await page.textContent('details[open] [data-field] [role=alert]'), ARABIC)
    await page.click('summary:has-text("إضافة مفتاح مرور")')
    await change('إضافة مفتاح مرور', 'حاسوبي')
    await change('إزالة مفتاح المرور حاسوبي')
    await page.waitForSelector('summary:has-text("حاسوبي")', { state: 'detached' })
    await change('إزالة تطبيق المصادقة')
    await page.waitForSelector('summary:has-text("إضافة تطبيق مصادقة")')
    t.equal(await page.locator('summary:has-text("رموز استرداد")').count(), 0)
  })

  await t.test('a user deletes the account, and keeps it after all', async (t) => {
    const person = await world.person()
    const page = await open(await openContext())
    await logIn(page, person.email, PASSWORD)
    await page.click('a[href="#account"]')
    await page.click('#deletion summary')
    await page.fill('#deletion #password', PASSWORD)
    await page.click('#deletion form button')
    await page.waitForSelector('a[href="#register"]')
    await logIn(page, person.email, PASSWORD)
    await page.click('#keep')
    await page.waitForSelector('#deletion')
    t.equal(await page.locator('#keep').count(), 0)
  })

  await t.test('a user revokes sessions, exports the data and logs out', async (t) => {
    const person = await world.person()
    const page = await open(await openContext())
    await logIn(page, person.email, PASSWORD)
    await person.logIn('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1')
    await person.logIn()
    await page.click('a[href="#sessions"]')
    await page.waitForSelector('li:nth-child(3)')
    await page.click('li button')
    await page.waitForFunction(`document.querySelectorAll('li').length === 2`)
    await page.click('#others')
    await page.waitForFunction(`document.querySelectorAll('li').length === 1`)

    await page.click('a[href="#account"]')
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export')])
    t.match(download.suggestedFilename(), /^tawthiq-account-\d+\.zip$/)
    await page.click('#logout')
    await page.waitForSelector('main form #password')
    t.equal(await page.locator('#logout').count(), 0)
  })
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('main form button')
  await page.waitForSelector('#logout')
}
