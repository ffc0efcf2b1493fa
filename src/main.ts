// Reads the configuration, starts the service, and shuts it down on a signal. Only this file ends the process.
import type { AddressInfo } from 'node:net'
import { systemClock } from './adapters/clock.ts'
import type { App } from './app.ts'
import { readConfig, type Config } from './config/index.ts'
import type { Embedded } from './database/embedded/index.ts'
import { shutDown } from './runtime/shutdown.ts'
import { jsonLog, prettyLog } from './lib/log.ts'
import { StartupError } from './lib/startup-error.ts'
import { readEnvironment } from './lib/env.ts'

try {
  await start(readConfig(readEnvironment()))
} catch (error) {
  console.error(error instanceof StartupError ? `\n${error.message}\n` : error)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = config.isProduction ? jsonLog(config.logLevel) : prettyLog(config.logLevel)
  const embedded = openEmbeddedEarly(config)
  const { openApp } = await import('./app.ts') // loaded after the configuration, whose problems are then reported at once
  const app = await openApp(config, { log, clock: systemClock, embedded })
  await listen(app, config).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  const { port } = app.server.server.address() as AddressInfo
  if (config.isProduction) log.info({ host: config.host, port }, 'listening')
  else await printBanner(app, config, port)
  shutDownOnSignal(app)
}

/** Opens the embedded database in its thread while this one loads the service. Undefined if a server is configured. */
function openEmbeddedEarly({ databaseUrl, dataDir }: Config): Promise<Embedded> | undefined {
  if (databaseUrl !== undefined) return undefined
  const opening = import('./database/embedded/index.ts').then(({ openEmbedded }) => openEmbedded(dataDir))
  opening.catch(() => undefined) // reported when the service awaits it
  return opening
}

async function printBanner({ hasDemoAccounts }: App, config: Config, port: number): Promise<void> {
  const { buildBanner } = await import('./runtime/banner.ts')
  console.log(buildBanner(config, port, hasDemoAccounts))
}

async function listen({ server }: App, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use by another process. Stop that process, or set PORT to another port.`,
      EACCES: `This user is not permitted to listen on port ${port}. Set PORT to a port above 1023.`,
    }
    throw new StartupError(reasons[code ?? ''] ?? `The service cannot listen on ${host}:${port}: ${message}.`, {
      cause: error,
    })
  }
}

function shutDownOnSignal(app: App): void {
  let isShuttingDown = false
  const stop = async (): Promise<void> => {
    if (isShuttingDown) return // npm and the terminal may both send the signal
    isShuttingDown = true
    await shutDown(app)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}
