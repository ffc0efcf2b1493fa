import type { Logger } from 'pino'
import { loggedAccessLines, writtenAccessLines, type WriteAccessLine } from './observation/access-line.ts'
import type { ServerOptions } from './server.ts'
import type { AccessLog } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'

type Parts = Readonly<{
  log: Logger
  /** Receives access lines as JSON, in place of the log */
  accessLog?: Pick<AccessLog, 'write'> | undefined
}>

/** The part of the configuration that the server needs */
type Given = Omit<ServerOptions, 'log' | 'shutdown' | 'observers' | 'writeAccessLine'> & {
  telemetry: { hasAccessLog: boolean } & Parameters<typeof writtenAccessLines>[1]
}

/** Returns the options of the server, whose shutdown has not begun. */
export function buildServerOptions(
  config: Given,
  { log, observers, accessLog }: Parts & { observers: Observers },
): ServerOptions {
  const shutdown = { isShuttingDown: false, isOver: false }
  const writeAccessLine = chooseAccessLines(config, { log, accessLog })
  return { ...config, log, shutdown, observers, writeAccessLine }
}

function chooseAccessLines({ telemetry }: Given, { log, accessLog }: Parts): WriteAccessLine | undefined {
  if (!telemetry.hasAccessLog) return undefined
  return accessLog ? writtenAccessLines(accessLog.write, telemetry) : loggedAccessLines(log, telemetry)
}
