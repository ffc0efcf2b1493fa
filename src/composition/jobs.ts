import { hmacSeals } from '../adapters/keys/audit-seals.ts'
import type { Config } from '../config/index.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import { startWebhookDispatcher, type WebhookDispatcher } from '../runtime/delivery/webhook-dispatcher.ts'
import { startMaintenance } from '../runtime/maintenance.ts'
import { watchService } from '../runtime/observation/index.ts'
import type { Disposers } from '../runtime/shutdown.ts'
import type { Data } from './data.ts'

type Dependencies = Data & { clock: Clock; log: Log; observers: Observers }

/** Starts the metrics of the service, its maintenance and the delivery of events. */
export async function startJobs(
  config: Config,
  { store, lookups, keys, fileStore, webhook, deliveries, clock, log, observers: { metrics, tracer } }: Dependencies,
  disposers: Disposers,
): Promise<WebhookDispatcher> {
  const usedKeys = await keys.use(({ usedKids }) => ({ usedKids }))
  watchService(metrics, { store, keys: usedKeys, clock, commit: config.telemetry.buildCommit })
  const seals = await keys.use(({ auditSeals }) => hmacSeals(auditSeals))
  if (!seals.sign) log.warn('audit trail is not sealed: run npm run admin -- rotate-keys audit-seals')
  const maintenance = startMaintenance({ store, lookups, fileStore, clock, seals }, { ...config, log, metrics })
  disposers.add(() => maintenance.stop())
  const dispatcher = startWebhookDispatcher({ events: store.events, webhook, log, metrics, tracer })
  if (webhook) deliveries.events = dispatcher.wake
  disposers.add(() => dispatcher.stop())
  return dispatcher
}
