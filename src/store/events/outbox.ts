import type { Bind } from '../../database/composed.ts'
import type { EventState } from '../../domain/event.ts'

/** What a commit may have added to the outbox */
export type Outgoing = 'events' | 'mails'

export type OutboxOptions = Readonly<{
  /** Whether a webhook receives events. Without one, they are stored in the state `unsent`. */
  hasWebhook: boolean
  /** Called after a commit, so that events and e-mails are delivered at once */
  onCommit: (added: Outgoing) => void
  /** Returns the `traceparent` of the current request, which the delivery continues; null if it is not traced */
  traceParent: () => string | null
}>

/** Returns the statement that adds events to the outbox, in the transaction of the change that they describe. */
export function eventInsert(rows: string, bind: Bind, { hasWebhook, traceParent }: OutboxOptions): string {
  return `
    INSERT INTO events (type, account_id, data, next_attempt_at, trace_parent)
    SELECT n.type, n.account_id, n.data, ${hasWebhook ? 'service_now()' : 'NULL'}, ${bind(traceParent())}::text
    FROM (${rows}) AS n`
}

/** The state of a row, in SQL. Must match the expression of the indexes `events_*state_idx`. */
export const EVENT_STATE = `(CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN delivered_at IS NOT NULL THEN 'delivered'
  WHEN attempts > 0 THEN 'failed' ELSE 'unsent' END)`

export const EVENT_STATES: readonly EventState[] = ['waiting', 'delivered', 'failed', 'unsent']
