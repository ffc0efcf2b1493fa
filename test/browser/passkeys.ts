// @tawthiq/sdk/passkeys in Chromium, with a virtual authenticator (WebAuthn Level 3, section 11).
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Config } from '../../src/config/index.ts'
import { browserPath } from '../support/servers/browser.ts'
import { openScriptPage } from '../support/servers/script-page.ts'
import { addAuthenticator, type Authenticator } from '../support/servers/virtual-authenticator.ts'
import { openService } from '../support/service/service.ts'
import { openWorld, PASSWORD, type Person } from '../support/service/world.ts'

const TIMEOUT_MS = 300_000
const WAIT_MS = 16 * 60_000
const HTML = `<!doctype html><meta charset="utf-8"><title>A page</title><input autocomplete="username webauthn">`
const FACTORS = 'factors.get()'
const MODULES = ['index', 'factors', 'passkeys']

type Device = {
  page: Page
  authenticator: Authenticator
  logIn(person: Person): Promise<unknown>
  run(expression: string): Promise<unknown>
  /** Returns `done`, or the name and the code of the error. */
  outcome(call: string): Promise<unknown>
}

t.setTimeout(TIMEOUT_MS)
if (browserPath === undefined) t.plan(0, 'there is no Chromium here')
else await testInBrowser()

/** Touches the authenticator until a promise of the page is settled: a touch before the request begins may have no effect. */
async function touchUntil({ page, authenticator }: Device, promise: string): Promise<void> {
  const settled = page.evaluate(promise).then(() => true)
  for (;;) {
    await authenticator.setPresence(true)
    if (await Promise.race([settled, page.waitForTimeout(200).then(() => false)])) return
    await authenticator.setPresence(false)
  }
}

async function testInBrowser(): Promise<void> {
  const opened = await openScriptPage(t, await bundleSdk(), HTML, { host: 'localhost' })
  const { pageOrigin, service, world, browser } = opened

  /** Opens a page of a new browser profile with an authenticator, and clients of a service. */
  const openPage = async (t: Test, origin = service.origin): Promise<Device> => {
    const context = await browser.newContext()
    t.teardown(() => context.close())
    const page = await context.newPage()
    const authenticator = await addAuthenticator(page)
    await page.goto(pageOrigin)
    await page.evaluate(`import('/script.js').then((sdk) => {
      window.sdk = sdk
      window.tawthiq = sdk.createTawthiq({ url: '${origin}', language: 'en' })
      window.factors = sdk.createFactors(tawthiq)
      window.passkeys = sdk.createPasskeys(tawthiq)
      window.proof = { password: ${JSON.stringify(PASSWORD)} }
      window.outcome = (call) => call.then(() => 'done', ({ name, code, word }) => [name, word ?? code].join(' '))
    })`)
    return deviceOf(page, authenticator)
  }
  const addPasskey = async (t: Test): Promise<{ device: Device; person: Person }> => {
    const [device, person] = [await openPage(t), await world.person()]
    await device.logIn(person)
    await device.run(`passkeys.add('Laptop', proof)`)
    await device.run('tawthiq.auth.logout()')
    return { device, person }
  }
  const other = async (t: Test, passkeys: Config['passkeys']): Promise<{ origin: string; person: Person }> => {
    const another = await openService({ config: { corsOrigins: [pageOrigin], passkeys } })
    t.teardown(() => another.close())
    return { origin: another.origin, person: await (await openWorld(another)).person() }
  }

  await t.test('adds a passkey, logs in with it, and removes it from the browser too', async (t) => {
    const device = await openPage(t)
    const person = await world.person()
    await device.logIn(person)
    t.same(await device.run('[sdk.isSupported(), await sdk.isAutofillSupported()]'), [true, true])
    const added = await device.run(`passkeys.add('Laptop', proof)`)
    t.match(added, { passkey: { name: 'Laptop', is_backed_up: false }, recovery_codes: Array(10).fill(/^[A-Z2-7-]+$/) })
    t.equal(await device.outcome(`passkeys.add('Laptop', proof)`), 'TawthiqError known')

    await device.run('tawthiq.auth.logout()')
    const login = `tawthiq.auth.login(${JSON.stringify({ email: person.email, password: PASSWORD })}).result()`
    t.same(await device.run(`(await ${login}).error.methods`), ['passkey', 'recovery_code'])
    await device.run('passkeys.login()')
    t.equal(await device.run('(await tawthiq.getSession()).user.email'), person.email)

    const { id } = (added as { passkey: { id: string } }).passkey
    t.match(await device.run(`passkeys.rename('${id}', 'Desk')`), { name: 'Desk' })
    await device.run(`passkeys.remove('${id}', proof)`)
    while ((await device.authenticator.credentials()).length > 0) await device.page.waitForTimeout(20)
    t.same(await device.run(`(await ${FACTORS}).passkeys`), [])
  })

  await t.test('logs in by autofill, with a new challenge before the first one expires', async (t) => {
    const { device, person } = await addPasskey(t)
    await device.authenticator.setPresence(false)
    const requested: unknown[] = []
    await device.page.route('**/login/passkey/options', async (route) => {
      requested.push(route)
      const response = await route.fetch()
      const body = (await response.json()) as { data: object }
      const data = { ...body.data, timeout: requested.length === 1 ? 1000 : 300_000 }
      await route.fulfill({ response, json: { ...body, data } })
    })
    await device.page.evaluate('void (window.login = outcome(passkeys.login({ autofill: true })))')
    while (requested.length < 2) await device.page.waitForTimeout(20)
    await touchUntil(device, 'login')
    t.equal(await device.page.evaluate('login'), 'done')
    t.equal(await device.run('(await tawthiq.getSession()).user.email'), person.email)
  })

  await t.test('ends autofill with its signal, or when another dialog begins', async (t) => {
    const { device } = await addPasskey(t)
    await device.authenticator.setPresence(false)
    const begin = `window.autofill = new AbortController(); window.login = outcome(passkeys.login({ autofill: true, signal: autofill.signal }))`
    await device.page.evaluate(`void (${begin.replace('; ', ', ')})`)
    await device.page.waitForTimeout(500)
    await device.page.evaluate('autofill.abort()')
    t.match(await device.page.evaluate('login'), / aborted$/)
    await device.page.evaluate(`void (${begin.replace('; ', ', ')})`)
    await device.page.waitForTimeout(500)
    await device.authenticator.setPresence(true)
    t.equal(await device.outcome('passkeys.login()'), 'done')
    t.equal(await device.page.evaluate('login'), 'TawthiqError aborted')
  })

  await t.test('converts options and credentials in older browsers', async (t) => {
    const [device, person] = [await openPage(t), await world.person()]
    await device.page.evaluate(`
      delete PublicKeyCredential.parseCreationOptionsFromJSON
      delete PublicKeyCredential.parseRequestOptionsFromJSON
      delete PublicKeyCredential.prototype.toJSON`)
    await device.logIn(person)
    await device.run(`passkeys.add('Laptop', proof)`)
    t.equal(await device.outcome(`passkeys.add('Laptop', proof)`), 'TawthiqError known')
    await device.run('tawthiq.auth.logout()')
    t.equal(await device.outcome('passkeys.login()'), 'done')
  })

  await t.test('requires a verified user', async (t) => {
    const { device } = await addPasskey(t)
    await device.authenticator.setVerified(false)
    t.equal(await device.outcome('passkeys.login()'), 'TawthiqError cancelled')
    await device.page.route('**/login/passkey/options', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { data: object }
      await route.fulfill({ response, json: { ...body, data: { ...body.data, userVerification: 'discouraged' } } })
    })
    t.equal(await device.outcome('passkeys.login()'), 'TawthiqError credentials_wrong')
    t.equal(
      (await device.authenticator.credentials()).length,
      1,
      'a failed login does not remove the passkey from the browser',
    )
  })

  await t.test('stores a changed backup state, and rejects a changed backup eligibility', async (t) => {
    const { device } = await addPasskey(t)
    await device.authenticator.setProperties({ backupState: true })
    await device.run('passkeys.login()')
    t.match(await device.run(FACTORS), { passkeys: [{ is_backed_up: true, last_used_at: /Z$/ }] })
    await device.authenticator.setProperties({ backupEligibility: false, backupState: false })
    t.equal(await device.outcome('passkeys.login()'), 'TawthiqError credentials_wrong')
  })

  await t.test('reauthenticates, with a passkey of the same account only', async (t) => {
    const { device } = await addPasskey(t)
    await device.run('passkeys.login()')
    world.wait(WAIT_MS)
    t.equal(await device.outcome('tawthiq.account.export()'), 'TawthiqError reauthentication_required')
    await device.run('passkeys.reauthenticate()')
    t.equal(await device.outcome('tawthiq.account.export()'), 'done')
    await device.run('tawthiq.auth.logout()')
    await device.logIn(await world.person())
    t.equal(
      await device.run('(await passkeys.reauthenticate().result()).error.fields.credential[0].code'),
      'passkey_wrong',
    )
  })

  await t.test('is rejected by a service that does not list the origin of the page', async (t) => {
    const { origin, person } = await other(t, { id: 'localhost', origins: ['http://localhost:1'] })
    const device = await openPage(t, origin)
    await device.logIn(person)
    t.equal(
      await device.run(`(await passkeys.add('Laptop', proof).result()).error.fields.credential[0].code`),
      'passkey_wrong',
    )
  })

  await t.test('is refused by the browser for the domain of another page', async (t) => {
    const { origin, person } = await other(t, { id: 'example.com', origins: ['https://example.com'] })
    const device = await openPage(t, origin)
    await device.logIn(person)
    t.equal(await device.outcome(`passkeys.add('Laptop', proof)`), 'TawthiqError domain_wrong')
    t.equal(await device.outcome('passkeys.login()'), 'TawthiqError domain_wrong')
  })
}

function deviceOf(page: Page, authenticator: Authenticator): Device {
  const run = (expression: string): Promise<unknown> => page.evaluate(`(async () => ${expression})()`)
  return {
    page,
    authenticator,
    logIn: ({ email }) => run(`tawthiq.auth.login(${JSON.stringify({ email, password: PASSWORD })})`),
    run,
    outcome: (call) => run(`outcome(${call})`),
  }
}

async function bundleSdk(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: MODULES.map((name) => `export * from './sdk/dist/${name}.js'`).join('\n'), resolveDir: '.' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
