import { runCommand, type Bind } from '../../database/composed.ts'
import type { Executor } from '../../database/query.ts'
import type { DomainEvent } from '../../domain/event.ts'

/** Adds events to the outbox in the transaction of the change, so that both are stored or neither. */
export type EnqueueEvents = (transaction: Executor, ...domainEvents: readonly DomainEvent[]) => Promise<void>

/** How events are stored. Without a webhook, they are stored in the state `unsent`. */
export type EventOptions = Readonly<{
  hasWebhook: boolean
  /** Returns the `traceparent` of the current request, which the delivery continues; null if it is not traced */
  traceParent: () => string | null
}>

export function outbox(eventOptions: EventOptions): EnqueueEvents {
  return async (transaction, ...domainEvents) => {
    if (domainEvents.length === 0) return
    await runCommand(transaction, (bind) =>
      eventInsertFrom('(VALUES (1)) AS one', bind, { domainEvents, eventOptions }),
    )
  }
}

/** Returns the statement that adds events to the outbox, for each row of `from`. */
export function eventInsertFrom(
  from: string,
  bind: Bind,
  { domainEvents, eventOptions }: { domainEvents: readonly DomainEvent[]; eventOptions: EventOptions },
): string {
  const { hasWebhook, traceParent } = eventOptions
  return `
    INSERT INTO events (type, account_id, data, next_attempt_at, trace_parent)
    SELECT n->>'type', (n->'data'->>'account_id')::int, n->'data', ${hasWebhook ? 'now()' : 'NULL'},
      ${bind(traceParent())}::text
    FROM ${from}, jsonb_array_elements(${bind(JSON.stringify(domainEvents))}::jsonb) AS n`
}
