// The SDK in Chromium, on a page of another origin than the service. Run by `npm run test:browser -w sdk`.
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { browserPath } from '../support/servers/browser.ts'
import { openScriptPage } from '../support/servers/script-page.ts'
import { PASSWORD, type Person } from '../support/service/world.ts'

const HOUR_MS = 3_600_000
const REFRESH = '/api/v1/auth/refresh'
const MODULES = ['index', 'forms', 'web']
const PAGE = '<!doctype html><meta charset="utf-8"><title>A page</title>'

/** A browser on a busy machine is slow. */
const TIMEOUT_MS = 300_000

t.setTimeout(TIMEOUT_MS)
if (browserPath === undefined) t.plan(0, 'there is no Chromium here')
else await testInBrowser()

async function testInBrowser(): Promise<void> {
  const { pageOrigin, service, world, browser } = await openScriptPage(t, await bundleSdk(), PAGE)

  /** Opens tabs of one browser profile, each with a client of the service in `tawthiq`. */
  const openTabs = async (count: number): Promise<{ tabs: Page[]; requests: string[] }> => {
    const context = await browser.newContext()
    const requests: string[] = []
    context.on('request', (request) => {
      if (request.method() !== 'OPTIONS') requests.push(new URL(request.url()).pathname)
    })
    const tabs = await Promise.all(Array.from({ length: count }, () => context.newPage()))
    for (const tab of tabs) {
      await tab.goto(pageOrigin)
      await tab.evaluate(`import('/script.js').then((sdk) => {
        window.sdk = sdk
        window.seen = []
        window.tawthiq = sdk.createTawthiq({ url: '${service.origin}', language: 'en', store: sdk.webStore() })
        tawthiq.onSession((session) => seen.push(session !== undefined))
      })`)
    }
    return { tabs, requests }
  }
  const logIn = (tab: Page | undefined, { email }: Person): Promise<unknown> | undefined =>
    tab?.evaluate(`tawthiq.auth.login(${JSON.stringify({ email, password: PASSWORD })})`)

  await t.test('refreshes once for two tabs with four calls each', async (t) => {
    const person = await world.person()
    const { tabs, requests } = await openTabs(2)
    await logIn(tabs[0], person)
    world.wait(HOUR_MS + 1000)
    const fourCalls = `Promise.all([1, 2, 3, 4].map(() => tawthiq.profile.get().then(({ user }) => user.email)))`
    const emails = await Promise.all(tabs.map((tab) => tab.evaluate(fourCalls)))
    t.same(emails, Array(2).fill(Array(4).fill(person.email)))
    t.equal(requests.filter((path) => path === REFRESH).length, 1)
  })

  await t.test('notifies other tabs of a login and a logout', async (t) => {
    const { tabs } = await openTabs(2)
    const [one, two] = tabs
    await logIn(one, await world.person())
    await two?.waitForFunction('seen.at(-1) === true')
    t.match(await two?.evaluate('tawthiq.profile.get()'), { user: { account_type: 'client' } })
    await two?.evaluate('tawthiq.auth.logout()')
    await one?.waitForFunction('seen.at(-1) === false')
    t.equal(await one?.evaluate(`tawthiq.profile.get().catch((error) => error.code)`), 'token_missing')
  })

  await t.test('reports the progress of an upload, and downloads under the name of the service', async (t) => {
    const person = await world.person()
    const { tabs } = await openTabs(1)
    const [tab] = tabs
    await logIn(tab, person)
    const photo = (await noise()).toString('base64')
    const updated = await tab?.evaluate(`(async () => {
      const photo = await (await fetch('data:image/png;base64,${photo}')).blob()
      const { user } = await tawthiq.profile.get()
      const progress = []
      const form = { ...sdk.toForm(user), profile_photo: photo }
      const { data, response } = await tawthiq.profile
        .update(form, { onProgress: ({ loaded, total }) => progress.push([loaded, total]) })
        .withResponse()
      const download = await tawthiq.files.get(data.user.profile_photo)
      const archive = await tawthiq.account.export()
      const { loaded, total } = { loaded: progress.at(-1)[0], total: progress.at(-1)[1] }
      return {
        steps: progress.length, isComplete: loaded === total, total, id: response.headers.get('x-request-id'),
        photo: [download.name, download.type, download.blob.size > 0], archive: archive.name,
      }
    })()`)
    t.match(updated, {
      isComplete: true,
      id: /./,
      photo: [/\.png$/, 'image/png', true],
      archive: `tawthiq-account-${person.id}.zip`,
    })
    const { steps, total } = updated as { steps: number; total: number }
    t.ok(steps > 0 && total > 1_000_000, `${steps} steps, ${total} bytes`)
  })

  await t.test('reads errors, and times out, aborts and refreshes during uploads', async (t) => {
    const person = await world.person()
    const { tabs, requests } = await openTabs(1)
    const [tab] = tabs
    await logIn(tab, person)
    world.wait(2 * HOUR_MS)
    const outcome = await tab?.evaluate(`(async () => {
      const failure = (call) => call.result().then(({ error }) => ({ code: error.code, retryAfter: error.retryAfter }))
      const onProgress = () => undefined
      const invalid = await tawthiq.profile.update({ account_type: 'client' }, { onProgress }).result()
      const controller = new AbortController()
      const aborted = tawthiq.profile.update({ account_type: 'client' }, { onProgress, signal: controller.signal })
      controller.abort()
      const offline = sdk.createTawthiq({ url: 'http://127.0.0.1:1' })
      return {
        fields: Object.keys(invalid.error.fields),
        wrong: await failure(tawthiq.auth.login({ email: 'nobody@example.org', password: 'x' })),
        aborted: await failure(aborted),
        network: await failure(offline.profile.update({}, { onProgress })),
      }
    })()`)
    t.match(outcome, {
      wrong: { code: 'credentials_wrong' },
      aborted: { code: 'aborted' },
      network: { code: 'network' },
    })
    t.ok((outcome as { fields: string[] }).fields.includes('name'))
    t.equal(requests.filter((path) => path === REFRESH).length, 1)
  })
}

async function bundleSdk(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: MODULES.map((name) => `export * from './sdk/dist/${name}.js'`).join('\n'), resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Returns a PNG that does not compress, of more than a megabyte. */
function noise(): Promise<Buffer> {
  const size = 700
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: size, height: size, channels: 3, background: 'white', noise } })
    .png()
    .toBuffer()
}
