import { EVENT_TYPES } from '../generated/events.ts'
import type { Schemas } from '../contract.ts'
import { WebhookError } from './error.ts'

/** The events by type: `WebhookEvents['account.registered']` */
export type WebhookEvents = { [Event in Schemas['Event'] as Event['type']]: Event & EventId }

/** An event of a type that this version of the SDK does not know */
export type UnknownEvent = EventId & {
  type: 'unknown'
  /** The type as the service sent it */
  word: string
  timestamp: string
  data: unknown
}

/** An event of the service; `type` says which. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents] | UnknownEvent

type EventId = {
  /** The `webhook-id`, which is the same in all deliveries of an event */
  id: string
}

/**
 * Parses a body that was verified.
 *
 * @throws WebhookError if it is not an event
 */
export function parseEvent(id: string, body: string): WebhookEvent {
  const { type, timestamp, data } = (parse(body) ?? {}) as Partial<Record<string, unknown>>
  if (typeof type !== 'string' || typeof timestamp !== 'string') throw new WebhookError('body_malformed')
  const isKnown = EVENT_TYPES.includes(type)
  const event = { id, timestamp, data, ...(isKnown ? { type } : { type: 'unknown', word: type }) }
  return event as WebhookEvent // the signature says that the service has sent it, which validates its events
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
