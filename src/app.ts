import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { logOutbox, type Outbox } from './adapters/outbox.ts'
import { hmacSeals, type Seals } from './adapters/keys/audit-seals.ts'
import type { KeyRing } from './adapters/keys/key-ring.ts'
import { createDisposers, type Disposers } from './runtime/shutdown.ts'
import type { OpenPool } from './adapters/queues/worker-pool.ts'
import { openContext } from './composition/context.ts'
import { chooseDatabase } from './composition/database.ts'
import { openFiles } from './composition/files.ts'
import { chooseServedOutbox } from './composition/outbox.ts'
import { recordSms } from './composition/sms.ts'
import { buildWebhook } from './composition/webhook.ts'
import type { Config } from './config/index.ts'
import type { Context } from './context.ts'
import type { Clock } from './domain/clock.ts'
import { startMailDispatcher } from './runtime/delivery/mail-dispatcher.ts'
import { startWebhookDispatcher } from './runtime/delivery/webhook-dispatcher.ts'
import { openKeys } from './runtime/keys/index.ts'
import { maskedLog, type ShutdownState } from './http/request/request-context.ts'
import { createServer, serve } from './http/server.ts'
import type { AccessLog } from './lib/log.ts'
import type { Observers } from './lib/observers.ts'
import { observePool } from './database/connection/observed-pool.ts'
import { watchService } from './runtime/observation/index.ts'
import { operations } from '../generated/handlers.ts'
import type { Embedded } from './database/embedded/index.ts'
import { openDatabase, type Database } from './database/index.ts'
import { openStore } from './store/index.ts'
import type { FileStore } from './runtime/file-store/index.ts'
import { queuedMailRules } from './services/notifications/queued-mail.ts'
import { startMaintenance } from './runtime/maintenance.ts'
import { buildServerOptions } from './http/server-options.ts'
import { listDependencies } from './runtime/dependencies.ts'
import { healthCheck, type DependencyHealth } from './runtime/health.ts'
import { startChecks } from './runtime/start-checks.ts'

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
  /** Reads the key file again, as the service does every few seconds */
  reloadKeys(): Promise<void>
  close(): Promise<void>
}

export type Dependencies = {
  log: Logger
  clock: Clock
  /** Stays open when the service closes */
  database?: Database
  /** The embedded database, if it is being opened already. It closes with the service. */
  embedded?: Promise<Embedded> | undefined
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
    return await open(config, { ...dependencies, log }, disposers)
  } catch (error) {
    await disposers.close()
    throw error
  }
}

const UNOBSERVED: Observers = { metrics: undefined, tracer: undefined }

async function open(config: Config, { log, clock, ...given }: Dependencies, disposers: Disposers): Promise<App> {
  const { observers = UNOBSERVED } = given
  const { metrics, tracer } = observers
  const checks = startChecks(config)
  const report = (line: string): void => log.info(line)
  const database = given.database ?? (await openDatabase(chooseDatabase(config), given.embedded, report))
  if (!given.database) disposers.add(() => database.close())
  disposers.add(observePool(database.pool, observers))
  await checks.report(database, log)
  const outbox = logOutbox(({ to, channel, subject, text }) =>
    log.info({ to, channel, subject, text }, 'message not sent'),
  )
  const webhook = await buildWebhook(config, outbox, { clock, tracer })
  const deliveries = { wake: (): void => undefined } // until the dispatcher starts
  const stored = openStore(database, { clock, log, webhook: webhook && deliveries, tracer })
  const { store, conversion } = await recordSms(config, stored, { clock, log, metrics }, disposers)
  const lookups = await store.openLookups()
  const { fileStore, hasDemoAccounts } = await openFiles(config, { store, clock, log, observers })
  const { storage } = fileStore
  const keys = await openKeys(config, { log, clock, metrics, keyHolders: store.keyHolders })
  disposers.add(() => keys.stop())
  const usedKeys = await keys.use(({ usedKids }) => ({ usedKids }))
  watchService(metrics, { store, keys: usedKeys, clock, commit: config.telemetry.buildCommit })
  const seals = await openSeals(keys, log)
  const maintenance = startMaintenance({ store, lookups, fileStore, clock, seals }, { ...config, log, metrics })
  disposers.add(() => maintenance.stop())
  const webhookDispatcher = startWebhookDispatcher({ events: store.events, webhook, log, metrics, tracer })
  deliveries.wake = webhookDispatcher.wake
  disposers.add(() => webhookDispatcher.stop())

  const serverOptions = buildServerOptions(config, { log, observers, accessLog: given.accessLog })
  const server = createServer(serverOptions)
  const parts = { store, lookups, clock, log, keys, storage, outbox, hasDemoAccounts, server, observers, conversion }
  const context = await openContext(config, { ...given, ...parts }, disposers)
  disposers.add(() => server.close())
  const mailDispatcher = startMailDispatcher(context, queuedMailRules(context), observers)
  disposers.add(() => context.background.settle().then(mailDispatcher.stop))
  const served = chooseServedOutbox(config, outbox, { mail: context.mail, webhook })
  await serve(server, serverOptions, { operations, context, outbox: served, passkeyApps: config.passkeyApps })
  const checkHealth = healthCheck(listDependencies(config, { store, limits: context.limits, fileStore }), clock)
  const app = { server, context, fileStore, outbox: served?.outbox, hasDemoAccounts, shutdown: serverOptions.shutdown }
  return {
    ...app,
    checkHealth,
    stopWork: () => void webhookDispatcher.stop(),
    reloadKeys: keys.reload,
    close: disposers.close,
  }
}

async function openSeals(keys: KeyRing, log: Logger): Promise<Seals> {
  const seals = await keys.use(({ auditSeals }) => hmacSeals(auditSeals))
  if (!seals.sign) log.warn('audit trail is not sealed: run npm run admin -- rotate-keys audit-seals')
  return seals
}
