// examples/web, built and served for a real service whose e-mails link to it, in Chromium.
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { PASSWORD, type World } from '../service/world.ts'
import { delayRequests, missingFor, openVitePage } from './vite-page.ts'

const EXAMPLE = 'examples/web'
const SELECTOR_MS = 60_000
const SCREENSHOTS = process.env['SCREENSHOTS']

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** What is missing to open the example; undefined if nothing is */
export const missing = missingFor(EXAMPLE)

export type Example = {
  world: World
  /** Opens the page, or the link of an e-mail, in a browser without a session. */
  open(language: 'ar' | 'en', viewport: typeof DESKTOP, link?: string): Promise<Page>
}

export async function openExample(t: Test): Promise<Example> {
  const from = 'no-reply@example.org'
  const { origin, world, browser } = await openVitePage(t, EXAMPLE, (page) => ({
    mail: { url: undefined, requiresTls: false, from, resetUrl: page, emailUrl: page, factorResetUrl: page },
  }))
  return {
    world,
    async open(language, viewport, link = `${origin}/?lang=${language}`) {
      const context = await browser.newContext({ viewport, acceptDownloads: true, locale: language })
      const page = await context.newPage()
      page.setDefaultTimeout(SELECTOR_MS)
      await delayRequests(page)
      page.on('pageerror', (error) => t.fail(error.message))
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
