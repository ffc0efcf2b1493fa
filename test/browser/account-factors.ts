// What users of the account pages do with second factors: they add, use and lose them.
import type { Page } from 'playwright-core'
import t from 'tap'
import { mailsTo } from '../support/accounts/resets.ts'
import { codeAt, establish } from '../support/accounts/second-factors.ts'
import { DESKTOP, logIn, missing, openAccountPages, PHONE, press, shoot } from '../support/servers/account-pages.ts'
import { addAuthenticator } from '../support/servers/virtual-authenticator.ts'
import { codeFor } from '../support/servers/vite-page.ts'
import { PASSWORD, type Person } from '../support/service/world.ts'

const TIMEOUT_MS = 300_000
const STEP_MS = 30_000
const STALE_MS = 16 * 60_000
const RESET_MS = 72 * 3_600_000
const SECTION = '#factors-section'

t.setTimeout(TIMEOUT_MS)
if (missing) t.plan(0, missing)
else await testFactors()

async function testFactors(): Promise<void> {
  const { world, open } = await openAccountPages(t)

  const openAccount = async (page: Page): Promise<void> => {
    await page.click('a[href="#account"]')
    await page.waitForSelector(SECTION)
  }
  const click = (page: Page, label: string): Promise<void> => page.click(`${SECTION} button:text-is("${label}")`)
  const confirm = async (page: Page): Promise<void> => {
    await page.fill('dialog #password', PASSWORD)
    await page.click('dialog button[value=confirm]')
  }
  const switchLanguages = async (page: Page): Promise<void> => {
    for (const dir of ['rtl', 'ltr']) {
      await page.click('#language')
      await page.waitForSelector(`html[dir=${dir}] main:not([aria-busy])`)
    }
  }
  const codeOf = (secret: string): string => {
    world.wait(STEP_MS) // each code is valid once
    return codeAt(secret, world.service.clock.nowMs())
  }
  /** Adds an app in the account. Returns its secret and the recovery codes. */
  const addApp = async (page: Page): Promise<{ secret: string; codes: string[] }> => {
    await openAccount(page)
    await click(page, 'Add an authenticator app')
    await confirm(page)
    const secret = await page.locator('.secret').innerText()
    await page.locator('.qr svg').waitFor()
    await shoot(page, 'factor-app-en')
    await page.fill('#code', codeOf(secret))
    await page.click(`${SECTION} form button`)
    const codes = await page.locator('#recovery-codes').innerText()
    await switchLanguages(page)
    await page.evaluate(`for (const _ of 'ab') document.querySelector('#language').click()`) // again while it loads
    await page.waitForSelector('html[dir=ltr] main:not([aria-busy])')
    t.equal(await page.locator('#recovery-codes').innerText(), codes, 'the other language keeps them')
    await shoot(page, 'factor-codes-en')
    await click(page, 'I have stored them')
    await page.waitForSelector(`${SECTION} button:text-is("Remove the app")`)
    return { secret, codes: codes.split('\n') }
  }
  /** Fills in the login page, with a code where it asks for one. */
  const logInWith = async (page: Page, { email }: Person, code: string): Promise<void> => {
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await press(page)
    await page.locator('#code').fill(code)
    await press(page)
    await page.waitForSelector('#logout')
  }
  const logOut = async (page: Page): Promise<void> => {
    await page.click('#logout')
    await page.waitForSelector('a[href="#reset"]')
  }
  const linkTo = async ({ email }: Person, action: string): Promise<string> => {
    const links = (await mailsTo(world, email)).flatMap(({ text }) => text.match(/http\S+#\S+/g) ?? [])
    return links.find((link) => link.endsWith(`action=${action}`)) ?? ''
  }
  /** Loses the device: requests a reset, and confirms it with the link and the code. */
  const reset = async (person: Person): Promise<Page> => {
    const page = await open('en', PHONE)
    await page.evaluate('void (location.hash = "lost")')
    await page.waitForSelector('h1:text-is("Reset the two-step login")')
    await page.fill('#email', person.email)
    await page.fill('#password', PASSWORD)
    await press(page)
    await page.waitForSelector('main > .step > .notice.good')
    const confirmation = await open('en', PHONE, await linkTo(person, 'confirm-factor-reset'))
    await confirmation.fill('#otp', await codeFor(world, confirmation, person.phone))
    await shoot(confirmation, 'factor-reset-en')
    await press(confirmation)
    await confirmation.waitForSelector('.notice:has-text("The reset is confirmed")')
    return confirmation
  }

  await t.test('a user adds an app, and logs in with its code and with a recovery code', async (t) => {
    const person = await world.person()
    const page = await open('en', DESKTOP)
    await logIn(page, person.email)
    const { secret, codes } = await addApp(page)
    t.equal(codes.length, 10)
    await logOut(page)
    await page.fill('#email', person.email)
    await page.fill('#password', PASSWORD)
    await press(page)
    await page.locator('#code').fill('000000')
    await switchLanguages(page)
    t.equal(await page.inputValue('#email'), person.email)
    t.equal(await page.inputValue('#code'), '', 'a code is not sent before the page asks for it')
    await logInWith(page, person, codeOf(secret))
    await logOut(page)
    await logInWith(page, person, codes[0] ?? '')
    await openAccount(page)
    await page.waitForSelector(`${SECTION} .codes:has-text("9")`)
    await shoot(page, 'factors-en')
  })

  await t.test('a sensitive operation asks for the password and a code', async () => {
    const person = await world.person()
    const page = await open('en', DESKTOP)
    await logIn(page, person.email)
    const { secret } = await addApp(page)
    world.wait(STALE_MS)
    await click(page, 'Get new recovery codes')
    await confirm(page)
    await page.fill('dialog #code', codeOf(secret))
    await shoot(page, 'factor-dialog-en')
    await page.click('dialog button[value=confirm]')
    await page.waitForSelector('#recovery-codes')
  })

  await t.test(
    'a user removes an established passkey with it, and an established app with a recovery code',
    async () => {
      const person = await world.person()
      const page = await open('en', DESKTOP)
      await addAuthenticator(page)
      await logIn(page, person.email)
      const { codes } = await addApp(page)
      await page.click(`${SECTION} summary`)
      await page.fill(`${SECTION} #name`, 'MacBook')
      await page.click(`${SECTION} details button`)
      await confirm(page)
      await page.waitForSelector(`${SECTION} li:has-text("MacBook")`)
      await establish(world, person)
      await click(page, 'Remove')
      await confirm(page)
      await page.click('dialog button:text-is("Use a passkey")')
      await page.waitForSelector(`${SECTION} li`, { state: 'detached' })
      await click(page, 'Remove the app')
      await confirm(page)
      await page.fill('dialog #code', codes[0] ?? '')
      await shoot(page, 'factor-proof-en')
      await page.click('dialog button[value=confirm]')
      await page.waitForSelector(`${SECTION} button:text-is("Add an authenticator app")`)
    },
  )

  await t.test('a user adds a passkey, logs in with it and removes it', async () => {
    const person = await world.person()
    const page = await open('ar', DESKTOP)
    await addAuthenticator(page)
    await logIn(page, person.email)
    await openAccount(page)
    await page.click(`${SECTION} summary`)
    await page.fill(`${SECTION} #name`, 'MacBook')
    await page.click(`${SECTION} details button`)
    await confirm(page)
    await page.waitForSelector('#recovery-codes')
    await click(page, 'حفظتها')
    await page.waitForSelector(`${SECTION} li:has-text("MacBook")`)
    await shoot(page, 'passkey-ar')
    await logOut(page)
    await page.click('button:text-is("تسجيل الدخول بمفتاح مرور")')
    await page.waitForSelector('#logout')
    await openAccount(page)
    await click(page, 'إزالة')
    await confirm(page)
    await page.waitForSelector(`${SECTION} li`, { state: 'detached' })
  })

  await t.test('a user who loses the device resets it, and the password is enough after 72 hours', async () => {
    const person = await world.person()
    const page = await open('en', DESKTOP)
    await logIn(page, person.email)
    await addApp(page)
    await reset(person)
    await page.reload()
    await openAccount(page)
    await page.waitForSelector(`${SECTION} .notice.bad:has-text("Somebody has confirmed a reset")`)
    world.wait(RESET_MS + STEP_MS)
    const later = await open('en', DESKTOP)
    await logIn(later, person.email)
    await addApp(later)
  })

  await t.test('an owner cancels a reset with the link of the notice', async (t) => {
    const person = await world.person()
    const page = await open('en', DESKTOP)
    await logIn(page, person.email)
    const { secret } = await addApp(page)
    await reset(person)
    const link = await linkTo(person, 'cancel-factor-reset')
    const cancellation = await open('en', DESKTOP, link)
    await cancellation.click('main form button')
    await cancellation.waitForSelector('.notice.good:has-text("The reset is cancelled")')
    world.wait(RESET_MS + STEP_MS)
    const later = await open('en', DESKTOP)
    await logInWith(later, person, codeOf(secret))
    t.pass()
  })
}
