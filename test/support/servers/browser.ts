import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']

/** The installed browser; undefined if there is none. Nothing is downloaded. */
export const browserPath = BROWSERS.find((path) => existsSync(path))

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? '', args: FLAGS })
}
