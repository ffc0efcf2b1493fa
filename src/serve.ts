// Starts the service, and shuts it down on a signal.
import type { AddressInfo } from 'node:net'
import { systemClock } from './adapters/clock.ts'
import type { App } from './app.ts'
import type { Config } from './config/index.ts'
import type { Embedded } from './database/embedded/index.ts'
import { describeHealth } from './runtime/health.ts'
import { shutDown } from './runtime/shutdown.ts'
import { jsonLog, openAccessLog, prettyLog } from './lib/log.ts'
import { StartupError } from './lib/startup-error.ts'
import { openTelemetry } from './telemetry/index.ts'

/**
 * Starts the service, and returns when it listens.
 *
 * @param exit ends the process after a shutdown
 * @throws StartupError if the service cannot start
 */
export async function serve(config: Config, exit: () => void): Promise<void> {
  const log = config.isProduction ? jsonLog(config.logLevel) : prettyLog(config.logLevel)
  const embedded = openEmbeddedEarly(config)
  const telemetry = await openTelemetry(config.telemetry)
  if (telemetry.port !== undefined) log.info({ port: telemetry.port }, 'management server listening')
  const { openApp } = await import('./app.ts') // loaded after the configuration, whose problems are then reported at once
  const accessLog = config.isProduction && config.telemetry.hasAccessLog ? openAccessLog() : undefined
  const opened = await openApp(config, { log, clock: systemClock, embedded, accessLog, observers: telemetry })
  const close = (): Promise<void> =>
    opened.close().finally(async () => {
      accessLog?.flush()
      await telemetry.close()
    })
  const app = { ...opened, close }
  telemetry.routes.set('/health', async () => describeHealth(await app.checkHealth()))
  await listen(app, config).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  const { port } = app.server.server.address() as AddressInfo
  if (config.isProduction) log.info({ host: config.host, port }, 'listening')
  else {
    const { buildBanner } = await import('./runtime/banner.ts')
    console.log(buildBanner(config, port, app.hasDemoAccounts))
  }
  shutDownOnSignal(app, config, exit)
}

/** Opens the embedded database in its thread while this one loads the service. Undefined if a server is configured. */
function openEmbeddedEarly({ databaseUrl, dataDir }: Config): Promise<Embedded> | undefined {
  if (databaseUrl !== undefined) return undefined
  const opening = import('./database/embedded/index.ts').then(({ openEmbedded }) => openEmbedded(dataDir))
  opening.catch(() => undefined) // reported when the service awaits it
  return opening
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

function shutDownOnSignal(app: App, { shutdown }: Config, exit: () => void): void {
  let isShuttingDown = false
  const stop = async (): Promise<void> => {
    if (isShuttingDown) return // npm and the terminal may both send the signal
    isShuttingDown = true
    await shutDown(app, shutdown)
    exit()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}
