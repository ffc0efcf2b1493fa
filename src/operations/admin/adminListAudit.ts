import type { Data, Operation } from '../../contract/operation.ts'
import { invalidData } from '../../domain/failure.ts'
import { maskAddress, parseNetwork } from '../../domain/text.ts'
import type { Context } from '../../context.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import { filtersText, queuedRead } from '../../services/administration/reads.ts'
import { LAST_MS, parseTimestamp } from '../../serializers/timestamp.ts'
import { encodeCursor, PAGE_LENGTH, toPage, decodeCursor } from '../../serializers/page.ts'

type AuditRow = Awaited<ReturnType<Context['store']['auditTrail']['list']>>[number]

export const adminListAudit: Operation<'adminListAudit'> = async (call, context) => {
  const { query, bearer, client, reply } = call
  const { store } = context
  const { limit = PAGE_LENGTH, cursor, ...filters } = query

  const network = query.address === undefined ? undefined : parseNetwork(query.address)
  if (query.address !== undefined && network === undefined) throw invalidData({ address: ['wrong_format'] })
  const where = {
    accountId: query.account_id,
    actorId: query.actor_id,
    event: query.event,
    requestId: query.request_id,
    network,
    since: parseTimestamp('since', query.since),
    until: parseTimestamp('until', query.until),
    before: cursor === undefined ? undefined : parseCursor(cursor),
  }
  const rows = await queuedRead(call, context, () => store.auditTrail.list(where, limit + 1))
  const { page, last } = toPage(rows, limit)
  const asked = filtersText({ ...filters, address: network, limit: query.limit }) // the address is personal data
  await store.audit.record({ event: 'audit_listed', actorId: bearer.accountId, ...toAuditContext(client, asked) })

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
