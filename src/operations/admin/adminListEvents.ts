import type { Context } from '../../context.ts'
import type { Data, Operation } from '../../contract/operation.ts'
import { queuedRead } from '../../services/administration/reads.ts'
import { encodeCursor, PAGE_LENGTH, toPage, decodeCursor } from '../../serializers/page.ts'

type EventRow = Awaited<ReturnType<Context['store']['events']['list']>>[number]

export const adminListEvents: Operation<'adminListEvents'> = async (call, context) => {
  const { query, reply } = call
  const { type, state, account_id: accountId, limit = PAGE_LENGTH, cursor } = query

  const before = cursor === undefined ? undefined : BigInt(decodeCursor(cursor, 1)[0] ?? 0)
  const filters = { type, state, accountId, before }
  const rows = await queuedRead(call, context, () => context.store.events.list(filters, limit + 1))
  const { page, last } = toPage(rows, limit)

  return reply({ items: page.map(toDelivery), next_cursor: last ? encodeCursor(last.id) : null })
}

function toDelivery(row: EventRow): Data<'adminListEvents'>['items'][number] {
  return {
    id: row.webhookId,
    state: row.state,
    event: row.event,
    attempts: row.attempts,
    last_attempt_at: row.lastAttemptAt?.toISOString() ?? null,
    last_failure: row.lastFailure,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    delivered_at: row.deliveredAt?.toISOString() ?? null,
  }
}
