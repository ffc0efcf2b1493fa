// The account pages in Chromium against a real service: what a visitor and a user do. With SCREENSHOTS=<folder> it also
// saves pictures of the pages.
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { DESKTOP, logIn, missing, openAccountPages, PHONE, press, shoot } from '../support/servers/account-pages.ts'
import { codeFor } from '../support/servers/vite-page.ts'
import { PASSWORD } from '../support/service/world.ts'

const SECOND_PASSWORD = 'another good phrase'
const MINUTE_MS = 60_000
/** A browser on a busy machine is slow. */
const TIMEOUT_MS = 300_000

t.setTimeout(TIMEOUT_MS)
if (missing) t.plan(0, missing)
else await testPages()

async function testPages(): Promise<void> {
  const { world, open } = await openAccountPages(t)
  const photo = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0f6b5c' } })
    .png()
    .toBuffer()
  const picture = { name: 'صورة.png', mimeType: 'image/png', buffer: photo }

  const fillAll = async (page: Page, values: Record<string, string>): Promise<void> => {
    for (const [name, value] of Object.entries(values)) await page.fill(`#${name}`, value)
  }
  const register = async (page: Page, type: 'client' | 'lawyer', phone: string, email: string): Promise<void> => {
    await page.click('a[href="#register"]')
    await page.fill('#phone', phone)
    await press(page)
    await page.fill('#otp', await codeFor(world, page, phone))
    await press(page)
    await page.selectOption('#account_type', type)
    const names =
      type === 'client'
        ? { name: 'سارة العتيبي' }
        : { first_name: 'عبدالله', second_name: 'محمد', fourth_name: 'القحطاني' }
    await fillAll(page, names)
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await shoot(page, `register-${type}`)
    await press(page)
    await page.waitForSelector('#gender', { state: 'attached' })
  }
  const fillIdentity = async (page: Page): Promise<void> => {
    await page.selectOption('#gender', 'Female')
    await page.selectOption('#nationality_id', '682')
    await page.setInputFiles('#profile_photo', picture)
  }
  const fillLocation = async (page: Page): Promise<void> => {
    await page.selectOption('#country_id', '682')
    await page.waitForSelector('#region_id option[value="1"]', { state: 'attached' })
    await page.selectOption('#region_id', '1')
    await page.waitForSelector('#city_id option[value="1"]', { state: 'attached' })
    await page.selectOption('#city_id', '1')
    await page.fill('#longitude', '46.6753')
    await page.fill('#latitude', '24.7136')
  }

  await t.test('a client registers, completes the profile, and manages the account in Arabic', async (t) => {
    const page = await open('ar', DESKTOP)
    const phone = world.newPhone()
    t.equal(await page.getAttribute('html', 'dir'), 'rtl')
    await shoot(page, 'login-ar')
    await register(page, 'client', phone, 'sara@example.org')

    await press(page)
    await page.waitForSelector('[data-field=city_id] .error')
    t.match(await page.textContent('[data-field=city_id] .error'), /[ء-ي]/, 'errors stand at their fields, in Arabic')
    await shoot(page, 'profile-errors-ar')
    await fillIdentity(page)
    await fillLocation(page)
    await page.selectOption('#type', '1')
    await press(page)
    await page.waitForSelector('.notice.good')
    t.equal(await page.inputValue('#city_id'), '1')
    t.ok(await page.evaluate(`document.querySelector('img.current').decode().then(() => true)`), 'the photo is shown')
    await shoot(page, 'profile-client-ar')

    await page.click('a[href="#sessions"]')
    await page.waitForSelector('.list li')
    t.equal(await page.locator('.list li').count(), 1)

    await page.click('a[href="#account"]')
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.export button')])
    t.match(download.suggestedFilename(), /^tawthiq-account-\d+\.zip$/)
    await shoot(page, 'account-ar')

    await page.click('#logout')
    await page.click('a[href="#reset"]')
    world.wait(2 * MINUTE_MS)
    await page.selectOption('#by', 'phone')
    await page.fill('#phone', phone)
    await press(page)
    await page.fill('#otp', await codeFor(world, page, phone, 2))
    await page.fill('#password', SECOND_PASSWORD)
    await press(page)
    await page.waitForSelector('.notice.good + .lead')
    await logIn(page, 'sara@example.org', SECOND_PASSWORD)

    await page.click('a[href="#account"]')
    await page.waitForSelector('.danger') // the profile has a field of this name too
    await page.fill('#password', SECOND_PASSWORD)
    await page.click('.danger')
    await page.waitForSelector('.notice.good')
    t.equal(await page.locator('#logout').count(), 0, 'the deletion ends the session')
    await shoot(page, 'deleted-ar')
  })

  await t.test('a lawyer fills in the whole form in steps, on a phone in English', async (t) => {
    const page = await open('en', PHONE)
    t.equal(await page.getAttribute('html', 'dir'), 'ltr')
    await shoot(page, 'login-en')
    await register(page, 'lawyer', world.newPhone(), 'lawyer@example.org')
    const continueTo = async (title: string): Promise<void> => {
      await press(page)
      await page.waitForSelector(`[aria-current=step]:has-text("${title}")`)
    }
    await continueTo('Personal details')
    await press(page)
    await page.waitForSelector('[data-field=gender] .error')
    t.ok(await page.isVisible('#gender'), 'a step with an error is not left')
    await shoot(page, 'steps-error-en')
    await fillIdentity(page)
    await fillAll(page, { day: '17', month: '5', year: '1988', national_id: '1012345672' })
    await page.selectOption('#identity_type', '1')
    await page.setInputFiles('#national_id_image', picture)
    await continueTo('Location')
    t.equal(await page.locator('.error').count(), 0)
    await fillLocation(page)
    await shoot(page, 'steps-location-en')
    await continueTo('Qualifications')
    for (const [name, value] of Object.entries({ degree: '1', general_specialty: '1', accurate_specialty: '102' }))
      await page.selectOption(`#${name}`, value)
    for (const box of ['[name=languages][value="8"]', '[name=languages][value="37"]']) await page.check(box)
    await page.setInputFiles('#degree_certificate', picture)
    t.equal(await page.locator('#other_degree').count(), 0, 'fields that do not apply are left out')
    await continueTo('Practice')
    await page.fill('#about', 'Commercial law.\nRiyadh.')
    await page.selectOption('#functional_cases', '1')
    await page.check('[name=sections][value="101"]')
    await page.fill('[id="license_no.101"]', '38/1234')
    await continueTo('Company')
    await page.selectOption('#type', '2')
    await fillAll(page, { company_name: 'Justice', company_licences_no: '77' })
    await page.setInputFiles('#company_license_file', picture)
    await shoot(page, 'steps-company-en')
    await page.click('.steps button:has-text("Location")')
    t.equal(await page.inputValue('#longitude'), '46.6753', 'an earlier step keeps its values')
    for (const title of ['Qualifications', 'Practice', 'Company']) await continueTo(title)
    await press(page)
    await page.waitForSelector('.notice.good')
    t.match(await page.textContent('main'), /being reviewed/)
    t.equal(await page.inputValue('[id="license_no.101"]'), '38/1234')
    await shoot(page, 'profile-lawyer-en')

    await page.uncheck('[name=sections][value="101"]')
    await press(page)
    await page.waitForSelector('[name=sections]:checked', { state: 'detached' })
    await page.waitForSelector('.notice.good')
    const [document] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[data-field=degree_certificate] button'),
    ])
    t.match(document.suggestedFilename(), /\.png$/)
  })

  await t.test('a visitor whose number is not on WhatsApp learns that the code comes by SMS', async (t) => {
    for (const [language, viewport, sentence] of [
      ['ar', PHONE, /تعذر الوصول إلى رقمك بهذه الطريقة.*رسالة نصية/],
      ['en', DESKTOP, /could not be reached that way\..*by SMS/],
    ] as const) {
      const page = await open(language, viewport)
      const phone = `${world.newPhone().slice(0, 6)}0404`
      await page.click('a[href="#register"]')
      await page.fill('#phone', phone)
      await page.selectOption('#channel', 'whatsapp')
      await shoot(page, `channel-${language}`)
      await press(page)
      const code = await codeFor(world, page, phone)
      t.match(await page.textContent('.notice.good'), sentence)
      await shoot(page, `channel-fallback-${language}`)
      await page.fill('#otp', code)
      await press(page)
      await page.waitForSelector('#account_type')
    }
  })

  await t.test('a user ends another session, and switches the language', async (t) => {
    const person = await world.person()
    const page = await open('en', DESKTOP)
    await logIn(page, person.email)
    await person.logIn('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1')
    await page.click('a[href="#sessions"]')
    await page.waitForSelector('.list li:nth-child(2)')
    await shoot(page, 'sessions-en')
    await page.click('#language')
    await page.waitForSelector('html[dir=rtl] .list')
    await page.waitForSelector('.list li:nth-child(2)')
    await shoot(page, 'sessions-ar')
    await page.click('.list li .action button')
    await page.waitForSelector('.list li:only-child')
    t.equal(await page.locator('.list li').count(), 1)
  })

  await t.test('a switch of the language keeps the step, and what is filled in', async (t) => {
    const page = await open('ar', PHONE)
    const other = async (dir: 'ltr' | 'rtl'): Promise<void> => {
      await page.click('#language')
      await page.waitForSelector(`html[dir=${dir}] main:not([aria-busy])`)
      t.equal(await page.evaluate('document.activeElement.id'), 'language')
    }
    const values = (names: string[]): Promise<string[]> => Promise.all(names.map((name) => page.inputValue(`#${name}`)))
    const phone = world.newPhone()
    await page.click('a[href="#register"]')
    await page.fill('#phone', phone)
    await page.selectOption('#channel', 'voice')
    await other('ltr')
    t.same(await values(['phone', 'channel']), [phone, 'voice'])
    await press(page)
    await page.fill('#otp', await codeFor(world, page, phone))
    await other('rtl')
    t.match(await page.textContent('.notice.good'), /[ء-ي]/)
    await press(page)
    await page.selectOption('#account_type', 'lawyer')
    const names = { first_name: 'نورة', second_name: 'سعد', fourth_name: 'الحربي', email: 'noura@example.org' }
    await fillAll(page, names)
    await other('ltr')
    t.same(await values(['account_type', ...Object.keys(names)]), ['lawyer', ...Object.values(names)])
    await page.fill('#password', PASSWORD)
    await press(page)
    await page.waitForSelector('.steps')
    await press(page)
    await fillIdentity(page)
    await fillAll(page, { day: '17', month: '5', year: '1988', national_id: '1012345672' })
    await page.selectOption('#identity_type', '1')
    await page.setInputFiles('#national_id_image', picture)
    await press(page)
    await fillLocation(page)
    await other('rtl')
    await page.waitForSelector('[aria-current=step]:has-text("الموقع")')
    await page.waitForFunction(`document.querySelector('#city_id').value === '1'`)
    t.same(await values(['country_id', 'region_id', 'longitude', 'year']), ['682', '1', '46.6753', '1988'])
    t.equal(await page.evaluate(`document.querySelector('#national_id_image').files[0].name`), picture.name)
    await shoot(page, 'steps-location-ar')
    await press(page)
    await page.waitForSelector('[aria-current=step]:has-text("المؤهلات")')
  })

  for (const state of ['is loading', 'could not be loaded'])
    await t.test(`a switch of the language fills in nothing on a page that ${state}`, async (t) => {
      const person = await world.person()
      const page = await open('en', DESKTOP)
      await logIn(page, person.email)
      await page.click('a[href="#account"]')
      await page.click('#email-section summary')
      await page.fill('#email', 'typed@example.org')
      const held: Route[] = []
      const hold = (route: Route): unknown => (state === 'is loading' ? held.push(route) : route.abort())
      await page.route('**/api/v1/profile', hold)
      await page.click('a[href="#profile"]')
      if (state === 'is loading') await page.click('#language')
      else await page.waitForSelector('main > .notice.bad')
      await page.unroute('**/api/v1/profile')
      for (const route of held) await route.continue()
      if (state !== 'is loading') await page.click('#language')
      await page.waitForSelector('html[dir=rtl] #gender')
      t.equal(await page.inputValue('#email'), person.email)
    })

  await t.test('a switch of the language during a submission starts the page from its beginning', async (t) => {
    const page = await open('en', PHONE)
    await page.click('a[href="#register"]')
    await page.fill('#phone', world.newPhone())
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/v1/auth/check-phone', (route) => released.then(() => route.continue()))
    await press(page)
    await page.click('#language')
    await page.waitForSelector('html[dir=rtl] main:not([aria-busy]) #phone')
    t.equal(await page.inputValue('#phone'), '')
    const response = page.waitForResponse('**/api/v1/auth/check-phone')
    release()
    await (await response).finished()
    t.equal(await page.locator('#otp').count(), 0, 'its response shows nothing on the new page')
  })

  await t.test('a user confirms the password again for a change that needs it', async (t) => {
    const person = await world.person()
    const page = await open('ar', PHONE)
    await logIn(page, person.email)
    world.wait(20 * MINUTE_MS)
    await page.click('a[href="#account"]')
    await page.click('.export button')
    await page.fill('dialog input', PASSWORD)
    await shoot(page, 'password-ar')
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('dialog button[value=confirm]')])
    t.match(download.suggestedFilename(), /\.zip$/)
    await shoot(page, 'account-ar')
  })

  await t.test('Arabic pages mirror the English ones', async (t) => {
    type Edges = [start: number, end: number][]
    const edgesOf = (page: Page): Promise<Edges> =>
      page.evaluate(`[...document.querySelectorAll('header, main, main > form, main > .group, .field, input, select')]
        .map((element) => element.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ left, right }) => (document.dir === 'rtl' ? [innerWidth - right, innerWidth - left] : [left, right]))`)
    for (const viewport of [PHONE, DESKTOP]) {
      const [arabic, english] = [await open('ar', viewport), await open('en', viewport)]
      for (const name of ['login', 'register', 'reset', 'lost', 'undo']) {
        for (const page of [arabic, english]) {
          await page.evaluate(`location.hash = '${name}'`)
          await page.waitForSelector('main:not([aria-busy]) form')
        }
        t.same(await edgesOf(arabic), await edgesOf(english), `${name}, ${String(viewport.width)} pixels wide`)
      }
    }
  })

  await t.test('a user logs in with the keyboard alone, and hears which page follows', async (t) => {
    const person = await world.person()
    const page = await open('ar', DESKTOP)
    const focused = (): Promise<string> => page.evaluate('document.activeElement.id')
    const order: string[] = []
    for (let step = 0; step < 5; step++) {
      await page.keyboard.press('Tab')
      order.push(await focused())
    }
    t.same(order.slice(1, 4), ['language', 'email', 'password'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type(person.email)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#gender')
    t.equal(await focused(), 'main')
    t.equal(await page.evaluate('scrollY'), 0, 'the header is in view')
    await page.evaluate(`scrollTo(0, 9999), void (location.hash = 'account')`)
    await page.waitForSelector('#factors-section')
    t.equal(await page.evaluate('scrollY'), 0, 'also after a page that was scrolled')
  })
}
