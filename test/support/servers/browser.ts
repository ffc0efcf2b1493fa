import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Page } from 'playwright-core'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']

/** The installed browser; undefined if there is none. Nothing is downloaded. */
export const browserPath = BROWSERS.find((path) => existsSync(path))

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? '', args: FLAGS })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { html: string }[] }

/** Lists what axe finds on a page. `options` are those of `axe.run`, as JavaScript. */
export async function violationsOf(page: Page, options = ''): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations }: { violations: Violation[] } = await page.evaluate(`axe.run(${options})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}
