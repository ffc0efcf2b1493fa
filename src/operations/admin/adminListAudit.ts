import type { Data, Operation } from '../../contract/operation.ts'
import { maskAddress } from '../../domain/mask.ts'
import type { Context } from '../../context.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { filtersText } from '../../services/administration/list-record.ts'
import { queuedRead } from '../../services/administration/queued-read.ts'
import { LAST_MS, parseTimestamp } from '../../serializers/timestamp.ts'
import { encodeCursor, PAGE_LENGTH, toPage, decodeCursor } from '../../serializers/page.ts'

type AuditRow = Awaited<ReturnType<Context['store']['auditTrail']['list']>>[number]

export const adminListAudit: Operation<'adminListAudit'> = async (call, context) => {
  const { query, bearer, client, reply } = call
  const { store } = context
  const { account_id: accountId, actor_id: actorId, event, since, until, limit = PAGE_LENGTH, cursor } = query

  const before = cursor === undefined ? undefined : parseCursor(cursor)
  const times = { since: parseTimestamp('since', since), until: parseTimestamp('until', until) }
  const where = { accountId, actorId, event, ...times, before }
  const rows = await queuedRead(call, context, () => store.auditTrail.list(where, limit + 1))
  const { page, last } = toPage(rows, limit)
  const { cursor: _, ...filters } = query
  await store.audit.record({
    event: 'audit_listed',
    actorId: bearer.accountId,
    ...toAuditContext(client, filtersText(filters)),
  })

  return reply({ items: page.map(toEvent), next_cursor: last ? encodeCursor(last.at.getTime(), last.id) : null })
}

function parseCursor(cursor: string): { at: Date; id: bigint } {
  const [atMs = 0, id = 0] = decodeCursor(cursor, 2)
  return { at: new Date(Math.min(atMs, LAST_MS)), id: BigInt(id) }
}

function toEvent({ id, at, event, address, ...row }: AuditRow): Data<'adminListAudit'>['items'][number] {
  return {
    id: String(id),
    at: at.toISOString(),
    event,
    account_id: row.accountId,
    actor_id: row.actorId,
    subject: row.subject,
    reason: row.reason,
    address: address === null ? null : maskAddress(address),
    request_id: row.requestId,
  }
}
