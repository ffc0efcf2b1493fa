// Starts the service of an environment in this process, where its modules are already loaded.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { systemClock } from '../../../src/adapters/clock.ts'
import { openApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config/index.ts'
import type { Database } from '../../../src/database/index.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { StartupError } from '../../../src/lib/startup-error.ts'
import { openSharedPool } from '../service/shared-threads.ts'

export type StartedHere = { origin: string; close(): Promise<void> }

/**
 * Starts the service as its main module does.
 *
 * @param database an open database, which stays open, instead of the one that the environment names
 */
export async function startHere(environment: Record<string, string>, database?: Database): Promise<StartedHere> {
  const log = jsonLog('silent')
  const app = await openApp(readConfig({ NODE_ENV: 'development', PORT: '0', ...environment }), {
    log,
    clock: systemClock,
    openPool: openSharedPool,
    ...(database && { database }),
  })
  t.teardown(() => app.close())
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => app.close() }
}

/** Starts the service and expects it to fail. Returns the message that its main module prints. */
export async function startHereExpectingFailure(environment: Record<string, string>): Promise<string> {
  const error: unknown = await startHere(environment).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof StartupError) return error.message
  throw new Error('the service did not fail with a message for its operator', { cause: error })
}
