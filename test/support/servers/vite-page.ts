// The pages of examples, built with Vite for a service of a test.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Config } from '../../../src/config/index.ts'
import { temporaryFolder } from '../processes/process.ts'
import { openService, type Service } from '../service/service.ts'
import { openWorld, type World } from '../service/world.ts'
import { browserPath, openBrowser } from './browser.ts'
import { localServer } from './local-server.ts'

export type VitePage = { origin: string; service: Service; world: World; browser: Browser }

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Returns what is missing to open an example; undefined if nothing is. */
export function missingFor(example: string): string | undefined {
  if (browserPath === undefined) return 'there is no Chromium here'
  return existsSync(viteOf(example)) ? undefined : `${example} is not installed`
}

/**
 * Builds an example for a new service, serves it at an origin that the service allows, and opens a browser.
 *
 * @param configOf returns additional configuration of the service
 */
export async function openVitePage(
  t: Test,
  example: string,
  configOf: (origin: string) => Partial<Config> = () => ({}),
): Promise<VitePage> {
  let folder = ''
  const address = await localServer(t, ({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname
    const file = join(folder, path === '/' ? 'index.html' : path)
    if (!existsSync(file)) response.writeHead(404).end()
    else response.setHeader('content-type', TYPES[extname(file)] ?? '').end(readFileSync(file))
  })
  const origin = address.replace('127.0.0.1', 'localhost') // passkeys need a domain
  const service = await openService({ config: { corsOrigins: [origin], ...configOf(origin) } })
  folder = build(example, service.origin)
  const browser = await openBrowser()
  t.teardown(async () => {
    await browser.close()
    await service.close()
  })
  return { origin, service, world: await openWorld(service), browser }
}

/** With `DELAY_MS` set, delays each request of a page by up to that time, to show what a test does not wait for. */
export async function delayRequests(page: Page): Promise<void> {
  const longest = Number(process.env['DELAY_MS'] ?? 0)
  if (longest === 0) return
  await page.route('**/*', async (route) => {
    await sleep(Math.random() * longest)
    await route.continue().catch(() => undefined) // the page may be closed
  })
}

/** Waits until the page asks for the code, and the nth SMS with a code is there. Returns that code. */
export async function codeFor(world: World, page: Page, phone: string, nth = 1): Promise<string> {
  await page.waitForSelector('#otp')
  for (;;) {
    const codes = world.codesTo(phone)
    if (codes.length >= nth) return codes[0] ?? ''
    await page.waitForTimeout(20) // some are sent after the response, and notices come at any time
  }
}

function viteOf(example: string): string {
  return resolve(example, 'node_modules/vite/bin/vite.js')
}

/** Builds the page for a service. Returns the folder. */
function build(example: string, apiUrl: string): string {
  const folder = temporaryFolder()
  const env = { ...process.env, VITE_API_URL: apiUrl }
  const command = [viteOf(example), 'build', example, '--outDir', folder, '--emptyOutDir']
  execFileSync(process.execPath, command, { env, stdio: 'pipe' })
  return folder
}
