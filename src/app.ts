import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { operations } from '../generated/handlers.ts'
import type { EventWebhook } from './adapters/events/webhook.ts'
import type { Mail } from './adapters/mail/smtp.ts'
import type { Outbox, ServedOutbox } from './adapters/outbox.ts'
import type { OpenPool } from './adapters/queues/worker-pool.ts'
import { openContext } from './composition/context.ts'
import { openData, type DataDependencies } from './composition/data.ts'
import { startJobs } from './composition/jobs.ts'
import type { Config } from './config/index.ts'
import { listSmsProviders } from './config/sms/providers.ts'
import type { Context } from './context.ts'
import { describeError } from './database/connection/wait.ts'
import { toFailure } from './database/outages.ts'
import { Failure } from './domain/failure.ts'
import { chooseAccessLines } from './http/observation/access-line.ts'
import { maskedLog, type ShutdownState } from './http/request/request-context.ts'
import { createServer, serve } from './http/server.ts'
import type { AccessLog } from './lib/log.ts'
import { isLoopback } from './lib/loopback.ts'
import type { Observers } from './lib/observers.ts'
import { StartupError } from './lib/startup-error.ts'
import { startMailDispatcher } from './runtime/delivery/mail-dispatcher.ts'
import { listDependencies } from './runtime/dependencies.ts'
import type { FileStore } from './runtime/file-store/index.ts'
import { healthCheck, type DependencyHealth } from './runtime/health.ts'
import { createDisposers, type Disposers } from './runtime/shutdown.ts'
import { queuedMailRules } from './services/notifications/queued-mail.ts'

export type App = {
  server: FastifyInstance
  context: Context
  /** The messages that were not delivered; development only */
  outbox: Outbox | undefined
  /** Whether the demo accounts can be used */
  hasDemoAccounts: boolean
  shutdown: ShutdownState
  /** Checks every dependency, for operators. */
  checkHealth(): Promise<DependencyHealth[]>
  /** Starts no new background work. */
  stopWork(): void
  /** The file store, whose marker the service renews every minute */
  fileStore: FileStore
  /** Sends the e-mails that are due */
  deliverMails(): Promise<void>
  /** Reads the key file again, as the service does every few seconds */
  reloadKeys(): Promise<void>
  close(): Promise<void>
}

export type Dependencies = Omit<DataDependencies, 'log' | 'observers'> & {
  log: Logger
  /** Receives access lines as JSON, in place of the log */
  accessLog?: Pick<AccessLog, 'write'> | undefined
  observers?: Observers
  /** Opens the threads of passwords. Services of one process can share them. */
  openPool?: OpenPool | undefined
}

/**
 * Builds the service from its configuration, up to a server that is ready to listen.
 *
 * @throws StartupError if a dependency is not available
 */
export async function openApp(config: Config, dependencies: Dependencies): Promise<App> {
  const disposers = createDisposers()
  try {
    const log = maskedLog(dependencies.log, config.telemetry)
    return await open(config, { observers: UNOBSERVED, ...dependencies, log }, disposers)
  } catch (error) {
    await disposers.close()
    throw explainOutage(error)
  }
}

/** Returns a sentence for the operator if the database stopped to respond during the start. */
function explainOutage(error: unknown): unknown {
  const failure = toFailure(error)
  if (error instanceof StartupError || !(failure instanceof Failure) || failure.code !== 'database_unavailable')
    return error
  const reason = describeError(failure.cause instanceof Error ? failure.cause : error)
  return new StartupError(`The database failed during the start: ${reason}. Run doctor, then start again.`, {
    cause: error,
  })
}

const UNOBSERVED: Observers = { metrics: undefined, tracer: undefined }

type Given = Dependencies & { observers: Observers }

async function open(config: Config, given: Given, disposers: Disposers): Promise<App> {
  const { log, clock, observers } = given
  const data = await openData(config, given, disposers)
  const { store, fileStore, keys, webhook, hasDemoAccounts } = data
  const jobs = await startJobs(config, { ...data, clock, log, observers }, disposers)

  const shutdown = { isShuttingDown: false, isOver: false }
  const accessLines = chooseAccessLines(config.telemetry, log, given.accessLog)
  const serverOptions = { ...config, log, observers, shutdown, accessLines }
  const server = createServer(serverOptions)
  const context = await openContext(config, { ...given, ...data, storage: fileStore.storage, server }, disposers)
  disposers.add(() => server.close())
  const mailDispatcher = startMailDispatcher(context, queuedMailRules(context), observers)
  data.deliveries.mails = mailDispatcher.wake
  disposers.add(() => context.background.settle().then(mailDispatcher.stop))
  const served = chooseServedOutbox(config, data.outbox, { mail: context.mail, webhook })
  const { passkeyApps, installation, pages } = config
  await serve(server, serverOptions, { operations, context, outbox: served, passkeyApps, installation, pages })
  return {
    ...{ server, context, fileStore, hasDemoAccounts, shutdown, outbox: served?.outbox },
    checkHealth: healthCheck(listDependencies(config, { store, limits: context.limits, fileStore }), clock),
    stopWork: () => void jobs.stop(),
    deliverMails: mailDispatcher.settle,
    reloadKeys: keys.reload,
    close: disposers.close,
  }
}

/** Returns the outbox if anything is written to it. */
function chooseServedOutbox(
  { sms, host }: Config,
  outbox: Outbox,
  { mail, webhook }: { mail: Mail; webhook: EventWebhook | undefined },
): ServedOutbox | undefined {
  const isUsed =
    mail === outbox.mail || webhook === outbox.webhook || listSmsProviders(sms).some(({ kind }) => kind === 'log')
  return isUsed ? { outbox, isLocal: isLoopback(host) } : undefined
}
