import type { Prisma } from '../../../generated/prisma/client.ts'
import type { DomainEvent } from '../../domain/event.ts'

/** Adds events to the outbox in the transaction of the change, so that both are stored or neither. */
export type EnqueueEvents = (
  transaction: Prisma.TransactionClient,
  ...domainEvents: readonly DomainEvent[]
) => Promise<void>

/** @param hasWebhook whether a webhook is configured; without one, events are stored in the state `unsent` */
export function outbox(hasWebhook: boolean): EnqueueEvents {
  return async (transaction, ...domainEvents) => {
    if (domainEvents.length === 0) return
    await transaction.$executeRaw`
      INSERT INTO events (type, account_id, data, next_attempt_at)
      SELECT n->>'type', (n->'data'->>'account_id')::int, n->'data', CASE WHEN ${hasWebhook} THEN now() END
      FROM jsonb_array_elements(${JSON.stringify(domainEvents)}::jsonb) AS n`
  }
}
