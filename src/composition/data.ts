import type { EventWebhook } from '../adapters/events/webhook.ts'
import { logOutbox, type Outbox } from '../adapters/outbox.ts'
import type { Config } from '../config/index.ts'
import { observePool } from '../database/connection/observed-pool.ts'
import type { Embedded } from '../database/embedded/index.ts'
import { openDatabase, type Database } from '../database/index.ts'
import { warmUp } from '../database/transaction.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import type { FileStore } from '../runtime/file-store/index.ts'
import { openKeys, type ReloadingKeys } from '../runtime/keys/index.ts'
import type { Disposers } from '../runtime/shutdown.ts'
import type { SmsConversion } from '../runtime/sms-conversion/index.ts'
import { startChecks } from '../runtime/start-checks.ts'
import type { Outgoing } from '../store/events/outbox.ts'
import { openStore, type Store } from '../store/index.ts'
import type { Lookups } from '../store/lookups.ts'
import { chooseDatabase } from './database.ts'
import { openFiles } from './files.ts'
import { recordSms } from './sms.ts'

export type DataDependencies = {
  log: Log
  clock: Clock
  observers: Observers
  /** Stays open when the service closes */
  database?: Database
  /** The embedded database, if it is being opened already. It closes with the service. */
  embedded?: Promise<Embedded> | undefined
}

export type Data = {
  store: Store
  lookups: Lookups
  keys: ReloadingKeys
  fileStore: FileStore
  hasDemoAccounts: boolean
  /** What becomes of sent SMS */
  conversion: SmsConversion
  outbox: Outbox
  /** undefined: events are not delivered */
  webhook: EventWebhook | undefined
  /** Deliver what this instance has committed. The dispatchers add theirs when they start. */
  deliveries: Partial<Record<Outgoing, () => void>>
}

/**
 * Opens the database, the file store and the keys, and checks the systems that the service needs.
 *
 * @throws StartupError if a dependency is not available
 */
export async function openData(config: Config, given: DataDependencies, disposers: Disposers): Promise<Data> {
  const { log, clock, observers } = given
  const { metrics, tracer } = observers
  const reportChecks = startChecks(config)
  const report = (line: string): void => log.info(line)
  const database = given.database ?? (await openDatabase(chooseDatabase(config, report), given.embedded, report))
  if (!given.database) disposers.add(() => database.close())
  disposers.add(observePool(database.pool, observers))
  await reportChecks(database, log)
  await warmUp(database.prisma)
  const outbox = logOutbox(({ to, channel, subject, text }) =>
    log.info({ to, channel, subject, text }, 'message not sent'),
  )
  const webhook = await buildWebhook(config, outbox, { clock, tracer })
  const deliveries = {}
  const stored = openStore(database, { clock, log, tracer, hasWebhook: webhook !== undefined, deliveries })
  const { store, conversion } = await recordSms(config, stored, { clock, log, metrics }, disposers)
  const lookups = await store.openLookups()
  const files = await openFiles(config, { store, clock, log, observers })
  const keys = await openKeys(config, { log, clock, metrics, keyHolders: store.keyHolders })
  disposers.add(() => keys.stop())
  return { store, lookups, keys, conversion, outbox, webhook, deliveries, ...files }
}

/** Creates the webhook; undefined if events are not delivered. Development delivers to the outbox. */
async function buildWebhook(
  { events, hasDemoData }: Config,
  outbox: Outbox,
  { clock, tracer }: { clock: Clock; tracer: Observers['tracer'] },
): Promise<EventWebhook | undefined> {
  if (!events) return hasDemoData ? outbox.webhook : undefined
  const { eventWebhook } = await import('../adapters/events/webhook.ts')
  return eventWebhook(events, { clock, traceHeaders: tracer?.headers })
}
