// The hooks of @tawthiq/sdk/react in Chromium, on a page of another origin than the service.
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import t from 'tap'
import { begin, codeAt } from '../support/accounts/second-factors.ts'
import { browserPath } from '../support/servers/browser.ts'
import { openScriptPage } from '../support/servers/script-page.ts'
import { addAuthenticator } from '../support/servers/virtual-authenticator.ts'
import { PASSWORD } from '../support/service/world.ts'

const TIMEOUT_MS = 300_000
const PAGE = '<!doctype html><meta charset="utf-8"><title>A page</title><div id="root"></div>'
/** Longer than the period of recent authentication, shorter than the validity of an access token */
const WAIT_MS = 16 * 60_000

/** An application with a form, and with two operations that require recent authentication */
const APP = `
import { createElement as h, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createTawthiq } from './src/index.ts'
import { createPasskeys } from './src/passkeys.ts'
import { webStore } from './src/web.ts'
import { ReauthenticationProvider, useOperation, useSession } from './src/react.ts'

window.questions = 0
window.rejections = 0
addEventListener('unhandledrejection', () => (window.rejections += 1))
window.createPasskeys = createPasskeys
window.begin = (url) => {
  const client = createTawthiq({ url, language: 'ar', store: webStore() })
  window.tawthiq = client
  const Prompt = ({ confirm, confirmWithPasskey, cancel, pending, error, message }) => {
    useEffect(() => void (window.questions += 1), [])
    return h('dialog', { open: true },
      h('input', { id: 'password' }), h('input', { id: 'code' }),
      h('output', { id: 'wrong' }, error?.fields.password?.[0]?.code ?? error?.code),
      h('button', { id: 'confirm', disabled: pending, onClick: () => confirm(document.getElementById('password').value, document.getElementById('code').value || undefined) }, 'confirm'),
      h('button', { id: 'passkey', onClick: confirmWithPasskey }, 'passkey'),
      h('output', { id: 'message' }, message),
      h('button', { id: 'cancel', onClick: cancel }, 'cancel'))
  }
  const Page = () => {
    const { pending, session } = useSession(client)
    const save = useOperation(client.profile.patch)
    const both = [useOperation(client.sessions.revokeOthers), useOperation(client.sessions.revokeOthers)]
    const outcome = ({ pending, data, error }) => (pending ? 'pending' : data ? 'done' : error?.code ?? 'idle')
    return h('main', null,
      h('output', { id: 'session' }, pending ? 'pending' : session?.user.email ?? 'none'),
      h('button', { id: 'save', onClick: () => save.run({ name: '' }) }, 'save'),
      h('output', { id: 'name' }, save.fields.name?.[0]?.text),
      h('button', { id: 'both', onClick: () => both.forEach(({ run }) => run()) }, 'both'),
      h('output', { id: 'outcomes' }, both.map(outcome).join()))
  }
  const provider = h(ReauthenticationProvider, { client, passkeys: createPasskeys(client), prompt: (props) => h(Prompt, props) }, h(Page))
  createRoot(document.getElementById('root')).render(h(StrictMode, null, provider))
}`

t.setTimeout(TIMEOUT_MS)
if (browserPath === undefined) t.plan(0, 'there is no Chromium here')
else await testInBrowser()

async function testInBrowser(): Promise<void> {
  const { pageOrigin, service, world, browser } = await openScriptPage(t, await bundleApp(), PAGE, {
    host: 'localhost',
  })
  const context = await browser.newContext()
  const reauthentications: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/reauthenticate')) reauthentications.push(request.url())
  })
  const openTab = async (): Promise<Page> => {
    const tab = await context.newPage()
    await tab.goto(pageOrigin)
    await tab.evaluate(`import('/script.js').then(() => begin('${service.origin}'))`)
    return tab
  }
  const shows = (tab: Page, id: string, text: string): Promise<unknown> =>
    tab.waitForFunction(`document.getElementById('${id}')?.textContent === '${text}'`)
  const [one, two] = [await openTab(), await openTab()]
  await one.bringToFront() // clicks in a tab in the background take seconds
  const person = await world.person()
  await shows(one, 'session', 'none')
  await one.evaluate(`tawthiq.auth.login(${JSON.stringify({ email: person.email, password: PASSWORD })}).then(() => 0)`)

  await t.test('shows the session in all tabs', async () => {
    await shows(one, 'session', person.email)
    await shows(two, 'session', person.email)
  })

  await t.test('shows the errors of a form in the language of the client', async (t) => {
    await one.click('#save')
    await one.waitForFunction(`document.getElementById('name').textContent !== ''`)
    t.match(await one.textContent('#name'), /^\p{Script=Arabic}/u)
  })

  await t.test('asks once for the password of two calls, and repeats them', async (t) => {
    world.wait(WAIT_MS)
    await one.click('#both')
    await one.fill('#password', 'not-the-password')
    await one.click('#confirm')
    await shows(one, 'wrong', 'password_wrong')
    await shows(one, 'outcomes', 'pending,pending')
    await one.fill('#password', PASSWORD)
    await one.click('#confirm')
    await shows(one, 'outcomes', 'done,done')
    t.equal(await one.evaluate('questions'), 1)
    t.equal(await one.locator('dialog').count(), 0)
    t.equal(reauthentications.length, 2, 'the wrong password and the right one')
  })

  await t.test('returns the error to both calls if the user cancels, and asks again later', async (t) => {
    world.wait(WAIT_MS)
    await one.click('#both')
    await one.click('#cancel')
    await shows(one, 'outcomes', 'reauthentication_required,reauthentication_required')
    await one.click('#both')
    await one.waitForSelector('dialog')
    await one.click('#cancel')
    t.equal(await one.evaluate('questions'), 3)
  })

  await t.test('takes the code of a second factor', async (t) => {
    const reauthenticate = `tawthiq.auth.reauthenticate({ method: 'password', password: '${PASSWORD}' })`
    const token: string = await one.evaluate(`${reauthenticate}.then(() => tawthiq.getAccessToken())`)
    const { secret } = await begin(world, token)
    const code = codeAt(secret, service.clock.nowMs())
    const confirmed = await world.send('confirmTotp')({ token, json: { code } })
    t.equal(confirmed.status, 200)
    world.wait(WAIT_MS)
    await one.click('#both')
    await one.fill('#password', PASSWORD)
    await one.click('#confirm')
    await shows(one, 'wrong', 'mfa_required')
    await one.fill('#code', codeAt(secret, service.clock.nowMs()))
    await one.click('#confirm')
    await shows(one, 'outcomes', 'done,done')
  })

  await t.test('takes a passkey', async (t) => {
    const authenticator = await addAuthenticator(one)
    await one.evaluate(`createPasskeys(tawthiq).add('Laptop', { password: '${PASSWORD}' }).then(() => 0)`)
    world.wait(WAIT_MS)
    await authenticator.setVerified(false)
    await one.click('#both')
    await one.click('#passkey')
    await shows(one, 'wrong', 'cancelled')
    await shows(one, 'message', 'لم يُستخدم مفتاح مرور. حاول مرة أخرى أو اختر طريقة أخرى.')
    t.equal(await one.evaluate('rejections'), 0)
    await shows(one, 'outcomes', 'pending,pending')
    await authenticator.setVerified(true)
    await one.click('#passkey')
    await shows(one, 'outcomes', 'done,done')
    t.equal(await one.locator('dialog').count(), 0)
  })

  await t.test('shows a logout in another tab', async () => {
    await two.evaluate('tawthiq.auth.logout().then(() => 0)')
    await shows(one, 'session', 'none')
  })
}

async function bundleApp(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: APP, resolveDir: 'sdk', loader: 'js' },
    define: { 'process.env.NODE_ENV': '"production"' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('')
}
