// What users of the account pages do with e-mails: they verify, change and release addresses, and reset passwords.
import type { Page } from 'playwright-core'
import t from 'tap'
import { newAddress, putEmail, storedEmail } from '../support/accounts/emails.ts'
import { establishedPerson, mailsTo, settled } from '../support/accounts/resets.ts'
import { DESKTOP, logIn, missing, openAccountPages, PHONE, press, shoot } from '../support/servers/account-pages.ts'
import { codeFor } from '../support/servers/vite-page.ts'
import { PASSWORD } from '../support/service/world.ts'

const NEW_PASSWORD = 'another good phrase'
const MINUTE_MS = 60_000
/** A browser on a busy machine is slow. */
const TIMEOUT_MS = 300_000
const SECTION = '#email-section'
const BADGE = `${SECTION} .address .badge`

t.setTimeout(TIMEOUT_MS)
if (missing) t.plan(0, missing)
else await testEmails()

async function testEmails(): Promise<void> {
  const { world, open } = await openAccountPages(t)

  /** Returns the links in the last e-mail to an address. */
  const linksTo = async (address: string): Promise<string[]> => {
    const [mail] = await mailsTo(world, address)
    return [...(mail?.text.match(/http\S+#\S+/g) ?? [])]
  }
  const lastLink = async (address: string): Promise<string> => (await linksTo(address)).at(-1) ?? ''
  const codeTo = async (address: string): Promise<string> =>
    /\b\d{6}\b/.exec((await mailsTo(world, address))[0]?.text ?? '')?.[0] ?? ''
  const openAccount = async (page: Page): Promise<void> => {
    await page.click('a[href="#account"]')
    await page.waitForSelector(SECTION)
  }
  const changeTo = async (page: Page, email: string): Promise<void> => {
    await page.click(`${SECTION} summary`)
    await page.fill(`${SECTION} #email`, email)
    await page.click(`${SECTION} details button`)
    await page.waitForSelector('#code')
  }
  const requestReset = async (page: Page, email: string): Promise<void> => {
    await page.click('a[href="#reset"]')
    await page.waitForSelector('#by')
    await page.fill('#email', email)
    await press(page)
    await page.waitForSelector('main > .step > .notice.good')
  }
  const setPassword = async (page: Page): Promise<void> => {
    await page.fill('#password', NEW_PASSWORD)
    await press(page)
  }
  /** Waits for a page on which a message says what happened. */
  const shows = async (page: Page, heading: string, message: string): Promise<void> => {
    await page.waitForSelector(`h1:text-is("${heading}") + .notice.good:has-text("${message}")`)
  }

  await t.test('a user verifies the address with the code of an e-mail', async (t) => {
    const person = await world.person({ isEmailVerified: false })
    const page = await open('en', PHONE)
    await logIn(page, person.email)
    await openAccount(page)
    t.equal(await page.textContent(BADGE), 'Not confirmed')
    await page.click(`${SECTION} .actions button`)
    await shows(page, 'Account', 'another e-mail')
    await page.fill('#code', '000000')
    await press(page)
    await page.waitForSelector('[data-field=code] .error')
    await shoot(page, 'email-code-wrong-en')
    await page.fill('#code', await codeTo(person.email))
    await press(page)
    await shows(page, 'Account', 'confirmed')
    t.equal(await page.textContent(BADGE), 'Confirmed')
    t.equal(await page.locator('#code').count(), 0)
  })

  await t.test('a user verifies the address with a link, in another browser without a session', async (t) => {
    const person = await world.person({ isEmailVerified: false })
    const page = await open('ar', DESKTOP)
    await logIn(page, person.email)
    await openAccount(page)
    await page.click(`${SECTION} .actions button`)
    await page.waitForSelector('.notice.good')
    await shoot(page, 'email-unverified-ar')

    const link = await lastLink(person.email)
    const other = await open('ar', PHONE, link)
    t.notMatch(other.url(), /token/, 'the token is not in the history')
    t.equal((await storedEmail(world, person.id)).emailVerifiedAt, null, 'opening the page confirms nothing')
    await shoot(other, 'link-confirm-ar')
    await press(other)
    await shows(other, 'تسجيل الدخول', 'تم تأكيد')

    await page.goto(link) // in the tab with the session, where the link is used up
    await press(page)
    await page.waitForSelector('form .notice.bad')
    t.match(await page.textContent('form .notice.bad'), /^انتهت صلاحية الرابط/)
    await shoot(page, 'link-used-ar')
    await openAccount(page)
    t.equal(await page.textContent(BADGE), 'مؤكد')
  })

  await t.test('a change is cancelled with the link to the previous address, and by the user', async (t) => {
    const person = await world.person()
    const email = newAddress()
    const page = await open('ar', PHONE)
    await logIn(page, person.email)
    world.wait(20 * MINUTE_MS)
    await openAccount(page)
    await page.click(`${SECTION} summary`)
    await page.fill(`${SECTION} #email`, 'sara@')
    await page.click(`${SECTION} details button`)
    await page.waitForSelector('[data-field=email] .error')
    await shoot(page, 'email-change-wrong-ar')
    await page.fill(`${SECTION} #email`, email)
    await page.click(`${SECTION} details button`)
    await page.fill('dialog input', PASSWORD)
    await page.click('dialog button[value=confirm]')
    await page.waitForSelector('#code')
    t.same(await page.locator(BADGE).allTextContents(), ['مؤكد', 'بانتظار التأكيد'])
    await shoot(page, 'email-pending-ar')

    const other = await open('ar', DESKTOP, await lastLink(person.email))
    await shoot(other, 'link-cancel-ar')
    await press(other)
    await shows(other, 'تسجيل الدخول', 'تم إلغاء')
    t.equal((await storedEmail(world, person.id)).pendingEmail, null)

    await page.click('a[href="#profile"]')
    await openAccount(page)
    await changeTo(page, email)
    await page.click(`${SECTION} .actions .action:last-child button`)
    await shows(page, 'الحساب', 'تم إلغاء')
    t.match(await storedEmail(world, person.id), { email: person.email, pendingEmail: null })
  })

  await t.test('a change is confirmed, gets the consent of the previous address, and is undone', async (t) => {
    const person = await world.person()
    const email = newAddress()
    const page = await open('en', DESKTOP)
    await logIn(page, person.email)
    await openAccount(page)
    await changeTo(page, email)
    await mailsTo(world, email) // sent before the clock moves, which would end the lease of an e-mail that is being sent
    world.wait(2 * MINUTE_MS)
    await page.click(`${SECTION} .actions button`)
    await shows(page, 'Account', 'another e-mail')
    await shoot(page, 'email-pending-en')
    await page.fill('#code', await codeTo(email))
    await press(page)
    await shows(page, 'Account', 'confirmed')
    t.equal(await page.textContent(`${SECTION} .address bdi`), email)

    const [undo = '', consent = ''] = await linksTo(person.email)
    const other = await open('en', PHONE, consent)
    const waits = async (): Promise<number> => Number((await storedEmail(world, person.id)).emailRecoversFrom)
    const before = await waits()
    await shoot(other, 'link-confirm-en')
    await press(other)
    await shows(other, 'Log in', 'is confirmed')
    t.ok((await waits()) < before, 'the new address can reset the password at once')

    await page.goto(undo)
    await shoot(page, 'link-cancel-en')
    await press(page)
    await shows(page, 'Log in', 'are undone') // the session has ended
    await shoot(page, 'undone-en')
    await page.goto(await lastLink(person.email))
    await setPassword(page)
    await shows(page, 'Log in', 'was changed')
    await logIn(page, person.email, NEW_PASSWORD)
  })

  await t.test('a user undoes a change with the code of the SMS about it', async (t) => {
    const person = await world.person({ isEmailVerified: false })
    await putEmail(world, person, await person.token(), newAddress())
    await settled(world)
    const code = /[A-Z2-7]{5}-[A-Z2-7]{5}/.exec(world.textsTo(person.phone)[0] ?? '')?.[0] ?? ''
    const page = await open('ar', PHONE)
    await page.click('a[href="#reset"]')
    await page.click('a[href="#undo"]')
    await page.fill('#phone', person.phone)
    await page.fill('#otp', 'AAAAA-AAAAA')
    await press(page)
    await page.waitForSelector('[data-field=otp] .error')
    await shoot(page, 'undo-code-ar')
    await page.fill('#otp', code.toLowerCase())
    await press(page)
    await page.waitForSelector('.notice.good:has-text("تم التراجع")')
    t.equal((await storedEmail(world, person.id)).email, person.email)
  })

  await t.test('a user resets the password by e-mail, and a weak one is rejected', async (t) => {
    const person = await world.person()
    const page = await open('ar', PHONE)
    await shoot(page, 'login-ar')
    await requestReset(page, person.email)
    await shoot(page, 'reset-requested-ar')
    await page.goto(await lastLink(person.email))
    await page.waitForSelector('#password')
    await page.fill('#password', 'password')
    await press(page)
    await page.waitForSelector('[data-field=password] .error')
    t.notOk(await page.isVisible('#otp'), 'a verified address needs no code')
    await shoot(page, 'reset-weak-ar')
    await setPassword(page)
    await shows(page, 'تسجيل الدخول', 'تم تغيير كلمة المرور')
    await logIn(page, person.email, NEW_PASSWORD)
  })

  for (const [language, viewport, login, changed] of [
    ['en', PHONE, 'Log in', 'was changed'],
    ['ar', DESKTOP, 'تسجيل الدخول', 'تم تغيير كلمة المرور'],
  ] as const) {
    await t.test(`an unverified address resets the password with a code by SMS (${language})`, async (t) => {
      const person = await world.person({ isEmailVerified: false })
      const page = await open(language, viewport)
      await requestReset(page, person.email)
      await page.goto(await lastLink(person.email))
      await setPassword(page)
      await page.waitForSelector('#otp')
      t.equal(await page.locator('.error, .notice.bad').count(), 0, 'the missing code is no error')
      await shoot(page, `reset-otp-${language}`)
      await page.fill('#otp', '000000')
      await press(page)
      await page.waitForSelector('[data-field=otp] .error')
      await shoot(page, `reset-otp-wrong-${language}`)
      world.wait(2 * MINUTE_MS)
      await page.click('main form button[type=button]')
      await page.fill('#otp', await codeFor(world, page, person.phone, 2))
      await press(page)
      await shows(page, login, changed)
      t.ok((await storedEmail(world, person.id)).emailVerifiedAt, 'the address is verified')
      await logIn(page, person.email, NEW_PASSWORD)
    })

    await t.test(`the owner of an address removes it from the account of another person (${language})`, async (t) => {
      const person = await world.person({ isEmailVerified: false })
      const page = await open(language, viewport)
      await requestReset(page, person.email)
      const link = await lastLink(person.email)
      await page.goto(link)
      await page.click('main .links button')
      await page.waitForSelector('main form:not(:has(input))')
      await shoot(page, `link-release-${language}`)
      await press(page)
      await page.waitForSelector('#channel')
      await page.waitForSelector('h1 + .notice.good')
      t.match((await storedEmail(world, person.id)).email, /@released\.invalid$/)
    })
  }

  await t.test('the owner of an account undoes a reset by phone', async () => {
    const person = await establishedPerson(world)
    const page = await open('en', DESKTOP)
    await page.click('a[href="#reset"]')
    await page.selectOption('#by', 'phone')
    await shoot(page, 'reset-by-phone-en')
    await page.fill('#phone', person.phone)
    await press(page)
    await page.fill('#otp', await codeFor(world, page, person.phone))
    await shoot(page, 'reset-phone-code-en')
    await setPassword(page)
    await shows(page, 'Log in', 'was changed')
    await logIn(page, person.email, NEW_PASSWORD)

    await page.goto(await lastLink(person.email))
    await shoot(page, 'link-undo-en')
    await press(page)
    await shows(page, 'Log in', 'are undone')
    await page.click('a.brand')
    await page.waitForSelector('#password')
    await page.fill('#email', person.email)
    await setPassword(page)
    await page.waitForSelector('form .notice.bad:has-text("the password is wrong")')
  })

  await t.test('no e-mail has a token outside of a link', async (t) => {
    await settled(world)
    const texts = (world.service.app.outbox?.messages ?? []).filter(({ subject }) => subject).map(({ text }) => text)
    t.ok(texts.length > 20)
    for (const text of texts) t.notMatch(text, /^[\w-]{43}$/m)
  })
}
