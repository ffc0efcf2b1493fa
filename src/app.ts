import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { keyedHash } from './adapters/keys/keyed-hash.ts'
import { openLimits } from './adapters/limits/index.ts'
import { createBackground } from './adapters/background.ts'
import { logOutbox, type Outbox } from './adapters/outbox.ts'
import { hmacSeals } from './adapters/keys/audit-seals.ts'
import { createDisposers, type Disposers } from './runtime/disposers.ts'
import type { Config } from './config/index.ts'
import type { Context } from './context.ts'
import type { Clock } from './domain/clock.ts'
import { startWebhookDispatcher } from './runtime/webhook-dispatcher.ts'
import { prepareDemoAccounts } from './runtime/demo-accounts.ts'
import { bindAtStart } from './runtime/orphan-files/binding.ts'
import { withDeletionLock, type DeletionLock } from './runtime/orphan-files/deletion-lock.ts'
import type { ShutdownState } from './http/request/request-context.ts'
import { createServer, serve } from './http/server.ts'
import { operations } from './operations/index.ts'
import type { Embedded } from './database/embedded/index.ts'
import { openDatabase, type Database } from './database/index.ts'
import { openStore, type Store } from './store/index.ts'
import {
  loadKeys,
  buildMail,
  buildPasswords,
  chooseDatabase,
  openStorage,
  buildWebhook,
  type PasswordServices,
} from './runtime/factories.ts'
import { buildContext } from './runtime/build-context.ts'
import type { FileStorage } from './adapters/files/storage.ts'
import type { Keys } from './adapters/keys/index.ts'
import { startMaintenance } from './runtime/maintenance.ts'

export type App = {
  server: FastifyInstance
  context: Context
  /** The messages that were not delivered; development only */
  outbox: Outbox | undefined
  /** Whether the demo accounts can be used */
  hasDemoAccounts: boolean
  /** Set when the service is about to stop; new requests are then rejected */
  shutdown: ShutdownState
  /** Starts to shut down: new requests are rejected and no new work is started. */
  beginShutdown(): void
  close(): Promise<void>
}

export type Dependencies = {
  log: Logger
  clock: Clock
  /** Stays open when the service closes */
  database?: Database
  /** The embedded database, if it is being opened already. It closes with the service. */
  embedded?: Promise<Embedded> | undefined
}

/**
 * Builds the service from its configuration, up to a server that is ready to listen.
 *
 * @throws StartupError if a dependency is not available
 */
export async function openApp(config: Config, dependencies: Dependencies): Promise<App> {
  const disposers = createDisposers()
  try {
    return await open(config, dependencies, disposers)
  } catch (error) {
    await disposers.close()
    throw error
  }
}

async function open(config: Config, { log, clock, ...given }: Dependencies, disposers: Disposers): Promise<App> {
  const database = given.database ?? (await openDatabase(chooseDatabase(config), given.embedded))
  if (!given.database) disposers.add(() => database.close())
  const outbox = logOutbox(({ to, subject, text }) => log.info({ to, subject, text }, 'message not sent'))
  const webhook = await buildWebhook(config, outbox, clock)
  const store = openStore(database, { clock, log, hasWebhook: webhook !== undefined })
  const lookups = await store.openLookups()
  const { storage, deletionLock, hasDemoAccounts } = await openFiles(config, store, log)
  const keys = loadKeys(config)
  const seals = hmacSeals(keys.auditSeals)
  if (!seals.sign) log.warn('audit trail is not sealed: run npm run admin -- rotate-keys audit-seals, then restart')
  const maintenance = startMaintenance({ store, lookups, storage, deletionLock, clock, seals }, { ...config, log })
  disposers.add(() => maintenance.stop())
  const webhookDispatcher = startWebhookDispatcher({ events: store.events, webhook, log })
  disposers.add(() => webhookDispatcher.stop())

  const services = {
    store,
    lookups,
    clock,
    log,
    ...(await openServices(config, { keys, outbox, log, clock }, disposers)),
  }
  const shutdown = { isShuttingDown: false }
  const serverOptions = { ...config, log, shutdown }
  const server = createServer(serverOptions)
  disposers.add(() => server.close())
  const context = await buildContext(config, { ...services, keys, storage, outbox, hasDemoAccounts, server })
  disposers.add(() => context.background.settle())
  const isOutboxUsed =
    services.mail === outbox.mail ||
    webhook === outbox.webhook ||
    config.sms.providers.some(({ kind }) => kind === 'log')
  const servedOutbox = isOutboxUsed ? outbox : undefined
  await serve(server, serverOptions, { operations, context, outbox: servedOutbox })
  const beginShutdown = (): void => {
    shutdown.isShuttingDown = true
    void webhookDispatcher.stop()
  }
  return { server, context, outbox: servedOutbox, hasDemoAccounts, shutdown, beginShutdown, close: disposers.close }
}

type Files = { storage: FileStorage; deletionLock: DeletionLock; hasDemoAccounts: boolean }

/** Opens the file store, and adds the demo accounts and their files if they are configured. */
async function openFiles(config: Config, store: Store, log: Logger): Promise<Files> {
  const deletionLock = { isLocked: true }
  const storage = withDeletionLock(await openStorage(config), deletionLock)
  const isReachable = await bindAtStart({ storage, store, deletionLock }, log)
  const hasDemoAccounts = await prepareDemoAccounts(store, isReachable ? storage : undefined, config, log)
  return { storage, deletionLock, hasDemoAccounts }
}

type Services = PasswordServices & Pick<Context, 'limits' | 'mail' | 'background'>
type ServiceDependencies = { keys: Keys; outbox: Outbox; log: Logger; clock: Clock }

/** Opens what operations need besides the store. These parts are closed after the server. */
async function openServices(
  config: Config,
  { keys, outbox, log, clock }: ServiceDependencies,
  disposers: Disposers,
): Promise<Services> {
  const passwordServices = await buildPasswords(config, log)
  disposers.add(() => passwordServices.passwords.close())
  disposers.add(() => passwordServices.passwordStrength.close())
  const { redisUrl, redisPrefix: prefix } = config
  const limits = await openLimits({ redisUrl, prefix, log, clock, hashKey: keyedHash(keys.codes, 'keys of limits') })
  disposers.add(() => limits.close())
  const mail = await buildMail(config, outbox)
  disposers.add(() => mail.close())
  if (!mail.isOffered) log.warn('SMTP_URL is not set: no e-mail is sent')
  return { ...passwordServices, limits, mail, background: createBackground(log) }
}
