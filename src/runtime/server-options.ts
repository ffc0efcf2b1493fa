import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import { loggedAccessLines, writtenAccessLines, type WriteAccessLine } from '../http/observation/access-line.ts'
import type { ServerOptions } from '../http/server.ts'
import type { AccessLog } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'

type Parts = Readonly<{
  log: Logger
  /** Receives access lines as JSON, in place of the log */
  accessLog?: Pick<AccessLog, 'write'> | undefined
}>

/** Returns the options of the server, whose shutdown has not begun. */
export function buildServerOptions(
  config: Config,
  { log, observers, accessLog }: Parts & { observers: Observers },
): ServerOptions {
  const shutdown = { isShuttingDown: false, isOver: false }
  const writeAccessLine = chooseAccessLines(config, { log, accessLog })
  return { ...config, log, shutdown, observers, writeAccessLine }
}

function chooseAccessLines({ telemetry }: Config, { log, accessLog }: Parts): WriteAccessLine | undefined {
  if (!telemetry.hasAccessLog) return undefined
  return accessLog ? writtenAccessLines(accessLog.write, telemetry) : loggedAccessLines(log, telemetry)
}
