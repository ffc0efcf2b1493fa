// examples/web, built and served for a real service whose e-mails link to it, in Chromium.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { temporaryFolder } from '../processes/process.ts'
import { openService } from '../service/service.ts'
import { openWorld, PASSWORD, type World } from '../service/world.ts'
import { browserPath, openBrowser } from './browser.ts'
import { localServer } from './local-server.ts'

const EXAMPLE = 'examples/web'
const VITE = join(EXAMPLE, 'node_modules/vite/bin/vite.js')
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const SELECTOR_MS = 60_000
const SCREENSHOTS = process.env['SCREENSHOTS']

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** Why the example cannot be opened; empty if it can */
export const missing =
  browserPath === undefined ? 'there is no Chromium here' : existsSync(VITE) ? '' : `${EXAMPLE} is not installed`

export type Example = {
  world: World
  /** Opens the page, or the link of an e-mail, in a browser without a session. */
  open(language: 'ar' | 'en', viewport: typeof DESKTOP, link?: string): Promise<Page>
}

export async function openExample(t: Test): Promise<Example> {
  let folder = ''
  const origin = await localServer(t, ({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname
    const file = join(folder, path === '/' ? 'index.html' : path)
    if (!existsSync(file)) response.writeHead(404).end()
    else response.setHeader('content-type', TYPES[extname(file)] ?? '').end(readFileSync(file))
  })
  const from = 'no-reply@example.org'
  const mail = { url: undefined, requiresTls: false, from, resetUrl: origin, emailUrl: origin }
  const service = await openService({ config: { corsOrigins: [origin], mail } })
  folder = build(service.origin)
  const browser = await openBrowser()
  t.teardown(async () => {
    await browser.close()
    await service.close()
  })
  return {
    world: await openWorld(service),
    async open(language, viewport, link = `${origin}/?lang=${language}`) {
      const context = await browser.newContext({ viewport, acceptDownloads: true, locale: language })
      const page = await context.newPage()
      page.setDefaultTimeout(SELECTOR_MS)
      page.on('pageerror', (error) => t.fail(error.message))
      await page.goto(link)
      await page.waitForSelector('main > *')
      return page
    },
  }
}

/** Builds the page for a service. Returns the folder. */
function build(apiUrl: string): string {
  const folder = temporaryFolder()
  const env = { ...process.env, VITE_API_URL: apiUrl }
  execFileSync(process.execPath, [VITE, 'build', EXAMPLE, '--outDir', folder, '--emptyOutDir'], { env, stdio: 'pipe' })
  return folder
}

/** Submits the form of the page. */
export function press(page: Page): Promise<void> {
  return page.click('main form button:not([type=button])')
}

/** Logs in on the login page, which the profile follows. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.fill('#email', email)
  await page.fill('#password', password)
  await press(page)
  await page.waitForSelector('#logout')
  await page.waitForSelector('#gender')
}

/** Waits until the page asks for the code and the nth SMS is there. Returns the code in it. */
export async function codeFor(world: World, page: Page, phone: string, nth = 1): Promise<string> {
  await page.waitForSelector('#otp')
  while (world.textsTo(phone).length < nth) await page.waitForTimeout(20) // some are sent after the response
  return /\d{6}/.exec(world.textsTo(phone)[0] ?? '')?.[0] ?? ''
}

/** Requires that the page fits a phone and a wide screen, and saves pictures of both with SCREENSHOTS=<folder>. */
export async function shoot(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize() ?? DESKTOP
  for (const { width, height } of [PHONE, DESKTOP]) {
    await page.setViewportSize({ width, height })
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      throw new Error(`${name} is wider than ${String(width)} pixels`)
    const path = `${SCREENSHOTS ?? ''}/${name}-${String(width)}.png`
    if (SCREENSHOTS !== undefined) await page.screenshot({ path, fullPage: true })
  }
  await page.setViewportSize(viewport)
}
