import { runCommand, type Bind } from '../../database/composed.ts'
import type { Executor } from '../../database/query.ts'
import type { DomainEvent } from '../../domain/event.ts'

/** Adds events to the outbox in the transaction of the change, so that both are stored or neither. */
export type EnqueueEvents = (transaction: Executor, ...domainEvents: readonly DomainEvent[]) => Promise<void>

/** @param hasWebhook whether a webhook is configured; without one, events are stored in the state `unsent` */
export function outbox(hasWebhook: boolean): EnqueueEvents {
  return async (transaction, ...domainEvents) => {
    if (domainEvents.length === 0) return
    await runCommand(transaction, (bind) => eventInsertFrom('(VALUES (1)) AS one', bind, { domainEvents, hasWebhook }))
  }
}

/** Returns the statement that adds events to the outbox, for each row of `from`. */
export function eventInsertFrom(
  from: string,
  bind: Bind,
  { domainEvents, hasWebhook }: { domainEvents: readonly DomainEvent[]; hasWebhook: boolean },
): string {
  return `
    INSERT INTO events (type, account_id, data, next_attempt_at)
    SELECT n->>'type', (n->'data'->>'account_id')::int, n->'data', ${hasWebhook ? 'now()' : 'NULL'}
    FROM ${from}, jsonb_array_elements(${bind(JSON.stringify(domainEvents))}::jsonb) AS n`
}
