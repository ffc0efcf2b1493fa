import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { openService, type Service } from '../service/service.ts'
import { openWorld, type World } from '../service/world.ts'
import { openBrowser } from './browser.ts'
import { localServer } from './local-server.ts'

export type ScriptPage = { pageOrigin: string; service: Service; world: World; browser: Browser }

/**
 * Opens a browser, a page with a script at `/script.js`, and a service of another origin that the page may call.
 *
 * @param html the content of the page
 * @param host another name of this machine, for the origin of the page
 */
export async function openScriptPage(
  t: Test,
  script: string,
  html: string,
  { host = '127.0.0.1' } = {},
): Promise<ScriptPage> {
  const address = await localServer(t, ({ url }, response) => {
    const isScript = url === '/script.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : html)
  })
  const pageOrigin = address.replace('127.0.0.1', host)
  const service = await openService({ config: { corsOrigins: [pageOrigin] } })
  const browser = await openBrowser()
  t.teardown(async () => {
    await browser.close()
    await service.close()
  })
  return { pageOrigin, service, world: await openWorld(service), browser }
}
