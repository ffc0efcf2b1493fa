// Reads the configuration, opens the service, listens, and leaves in good order. Only here is the process ended.
import type { AddressInfo } from 'node:net'
import { systemClock } from './adapters/clock.ts'
import { openApp, type App } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { drain } from './drain.ts'
import { compileValidators } from './http/validation/lazy.ts'
import { jsonLog, prettyLog } from './log.ts'
import { StartFailure } from './start-failure.ts'
import { variables } from './variables.ts'
import { welcome } from './welcome.ts'

try {
  await start(readConfig(variables()))
} catch (error) {
  console.error(error instanceof StartFailure ? `\n${error.message}\n` : error)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = config.isProduction ? jsonLog(config.logLevel) : prettyLog(config.logLevel)
  const app = await openApp(config, { log, clock: systemClock })
  await listen(app, config).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  const { port } = app.server.server.address() as AddressInfo
  if (config.isProduction) log.info({ host: config.host, port }, 'listening')
  else console.log(welcome(config, port, app.hasDemoAccounts))
  leaveOnSignal(app)
  await compileValidators()
}

async function listen({ server }: App, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is taken by another process. Stop it, or set PORT to another one.`,
      EACCES: `Port ${port} may not be used by this user. Set PORT to one above 1023.`,
    }
    throw new StartFailure(reasons[code ?? ''] ?? `The service cannot listen on ${host}:${port}: ${message}.`, {
      cause: error,
    })
  }
}

function leaveOnSignal(app: App): void {
  let isLeaving = false
  const leave = async (): Promise<void> => {
    if (isLeaving) return // npm and the terminal may both tell us
    isLeaving = true
    await drain(app)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void leave())
}
