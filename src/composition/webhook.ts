import type { EventWebhook } from '../adapters/events/webhook.ts'
import type { Outbox } from '../adapters/outbox.ts'
import type { Config } from '../config/index.ts'
import type { Clock } from '../domain/clock.ts'
import type { Observers } from '../lib/observers.ts'

/** Creates the webhook; undefined if events are not delivered. Development delivers to the outbox. */
export async function buildWebhook(
  { events, hasDemoData }: Config,
  outbox: Outbox,
  { clock, tracer }: { clock: Clock; tracer: Observers['tracer'] },
): Promise<EventWebhook | undefined> {
  if (!events) return hasDemoData ? outbox.webhook : undefined
  const { eventWebhook } = await import('../adapters/events/webhook.ts')
  return eventWebhook(events, { clock, traceHeaders: tracer?.headers })
}
