// The account pages of a real service whose e-mails link to them, in Chromium.
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { readConfig } from '../../../src/config/index.ts'
import { openService } from '../service/service.ts'
import { openWorld, PASSWORD, type World } from '../service/world.ts'
import { browserPath, openBrowser, violationsOf } from './browser.ts'
import { delayRequests } from './vite-page.ts'

const SELECTOR_MS = 60_000
const SCREENSHOTS = process.env['SCREENSHOTS']
/** The URL in e-mails, because the port of the service is known later */
const PUBLIC_URL = 'http://pages.test'

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** What is missing to open the pages; undefined if nothing is */
export const missing = browserPath === undefined ? 'there is no Chromium here' : undefined

export type AccountPages = {
  world: World
  /** The URL of the pages */
  url: string
  browser: Browser
  /** Opens the pages, or the link of an e-mail, in a browser without a session. */
  open(language: 'ar' | 'en', viewport: typeof DESKTOP, link?: string): Promise<Page>
}

/** @param variables set more than that the pages are served */
export async function openAccountPages(t: Test, variables: Record<string, string> = {}): Promise<AccountPages> {
  const environment = { NODE_ENV: 'test', PAGES: 'on', PUBLIC_URL, KEYS: newKeys(), ...variables }
  const { mail, pages, captcha } = readConfig(environment)
  const service = await openService({ config: { mail, pages, captcha } })
  const origin = service.origin.replace('127.0.0.1', 'localhost') // passkeys need a domain
  const url = `${origin}/account/`
  const browser = await openBrowser()
  t.teardown(async () => {
    await browser.close()
    await service.close()
  })
  return {
    ...{ world: await openWorld(service), url, browser },
    async open(language, viewport, link = url) {
      const context = await browser.newContext({ viewport, acceptDownloads: true, locale: language })
      const page = await context.newPage()
      page.setDefaultTimeout(SELECTOR_MS)
      await delayRequests(page)
      page.on('pageerror', (error) => t.fail(error.message))
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) t.fail(message.text())
      })
      await page.route(`${PUBLIC_URL}/**`, (route) => route.fulfill({ status: 302, headers: { location: url } }))
      await page.goto(link)
      await page.waitForSelector('main > *')
      return page
    },
  }
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

/** What is written from left to right, whatever the language of the page is */
const LEFT_TO_RIGHT = 'input[type=email], input[type=tel], input[type=password], bdi[dir], #recovery-codes'

/**
 * Requires that the page fits a phone and a wide screen, is accessible, and has the direction of its language, and saves
 * pictures with SCREENSHOTS=<folder>.
 */
export async function shoot(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize() ?? DESKTOP
  for (const { width, height } of [PHONE, DESKTOP]) {
    await page.setViewportSize({ width, height })
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      throw new Error(`${name} is wider than ${String(width)} pixels`)
    const found = [...(await violationsOf(page)), ...(await misdirected(page))]
    if (found.length > 0) throw new Error(`${name}, ${String(width)} pixels wide: ${found.join('; ')}`)
    const path = `${SCREENSHOTS ?? ''}/${name}-${String(width)}.png`
    if (SCREENSHOTS !== undefined) await page.screenshot({ path, fullPage: true })
  }
  await page.setViewportSize(viewport)
}

/** Lists what has another direction than it should have. */
function misdirected(page: Page): Promise<string[]> {
  return page.evaluate(`[document.body, ...document.querySelectorAll('${LEFT_TO_RIGHT}')].filter((element) => {
    const expected = element === document.body && document.documentElement.lang === 'ar' ? 'rtl' : 'ltr'
    return getComputedStyle(element).direction !== expected
  }).map((element) => 'direction of ' + element.outerHTML.slice(0, 80))`)
}
