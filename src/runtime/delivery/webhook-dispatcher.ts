import type { EventWebhook } from '../../adapters/events/webhook.ts'
import { retryAfterSeconds, type DueEvent, type Outcome } from '../../domain/event.ts'
import type { Log } from '../../lib/log.ts'
import { NO_METRICS, timed } from '../../lib/metrics.ts'
import type { Observers } from '../../lib/observers.ts'
import type { Store } from '../../store/index.ts'
import { startDispatcher, type Dispatcher } from './dispatcher.ts'

const IN_FLIGHT_MAX = 8
/** For retries, and for events of instances that ended; new ones wake the dispatcher */
const POLL_MS = 5000
const SETTLE_MS_MAX = 2000

/** Without a webhook, events are not delivered. */
type Dependencies = Observers & { events: Store['events']; webhook: EventWebhook | undefined; log: Log }

export type WebhookDispatcher = Pick<Dispatcher, 'wake' | 'stop'>

/** Delivers due events until it is stopped. */
export function startWebhookDispatcher({ webhook, ...dependencies }: Dependencies): WebhookDispatcher {
  if (!webhook) return { wake: () => undefined, stop: () => Promise.resolve() }
  const { events, log } = dependencies
  return startDispatcher<DueEvent>(events, {
    names: { delivery: 'an event delivery', due: 'due events' },
    inFlightMax: IN_FLIGHT_MAX,
    pollMs: POLL_MS,
    settleMsMax: SETTLE_MS_MAX,
    deliver: (due, isCutOff) => deliver(due, { ...dependencies, webhook }, isCutOff),
    cutOff: () => webhook.close(),
    log,
  })
}

type Delivering = Dependencies & { webhook: EventWebhook }

async function deliver(due: DueEvent, dependencies: Delivering, isCutOff: () => boolean): Promise<void> {
  const { events, log, metrics = NO_METRICS } = dependencies
  const observe = metrics.duration('tawthiq_dependency_duration_seconds', { dependency: 'events' })
  const outcome = await timed(observe, () => post(due, dependencies))
  if (outcome !== 'taken' && isCutOff()) return events.giveBack(due)
  const count = (name: string): void => metrics.count('tawthiq_event_deliveries_total', { outcome: name })
  if (outcome === 'taken') {
    count('delivered')
    return events.markDelivered(due)
  }
  const { failure, isFinal } = outcome
  const seconds = isFinal ? undefined : retryAfterSeconds(due.attempts, Math.random())
  count(seconds === undefined ? 'abandoned' : 'failed')
  const details = { webhookId: due.webhookId, type: due.event.type, attempts: due.attempts, failure }
  if (seconds === undefined) log.error(details, 'event delivery failed, no more retries')
  else log.warn(details, 'event delivery failed, retry scheduled')
  return events.markFailed(due, failure, seconds)
}

/** Posts an event, in a span that continues the trace of the request that raised it. */
async function post(due: DueEvent, { webhook, tracer }: Delivering): Promise<Outcome> {
  const { webhookId, event, attempts, traceParent } = due
  const deliverOnce = (): Promise<Outcome> => webhook.post(webhookId, event)
  if (!tracer) return deliverOnce()
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': attempts - 1,
    'tawthiq.event.type': event.type,
    'tawthiq.event.id': webhookId,
  }
  const errorType = (outcome: Outcome): string | undefined => (outcome === 'taken' ? undefined : outcome.failure)
  return tracer.trace('event delivery', { attributes, parent: traceParent, errorType }, deliverOnce)
}
