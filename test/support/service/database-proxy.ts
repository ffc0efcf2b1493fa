// A service whose connections to the database server can be broken or frozen.
import type { Test } from 'tap'
import { openProxy, type Proxy } from '../servers/proxy.ts'
import { openService, type Service } from './service.ts'
import { openWorld, type World } from './world.ts'

export type BehindProxy = { service: Service; world: World; proxy: Proxy }

type Options = Omit<Parameters<typeof openService>[0] & object, 'through'>

/** The longest time of a response while the database is unavailable */
export const UNAVAILABLE_MS_MAX = 2500

/** Set without a database server: a reason to skip tests that need one */
export const skipWithoutServer =
  process.env['DATABASE_URL'] === undefined && 'needs a real PostgreSQL: set DATABASE_URL'

/** Opens a service on a database of its own, behind a proxy. */
export async function openBehindProxy(t: Test, options: Options = {}): Promise<BehindProxy> {
  const { hostname, port } = new URL(process.env['DATABASE_URL'] ?? '')
  const proxy = await openProxy({ host: hostname, port: Number(port || 5432) })
  const through = (url: string): string => {
    const other = new URL(url)
    other.hostname = '127.0.0.1'
    other.port = String(proxy.port)
    return other.toString()
  }
  const service = await openService({ ...options, through })
  t.teardown(async () => {
    proxy.restore()
    await service.close()
    proxy.close()
  })
  return { service, world: await openWorld(service), proxy }
}
